/**
 * The cookies of signing in: the web session, the state of a sign-in through another service, which binds its answer to
 * this browser, and the ticket of an identified person (core/engine/accounts/SignIn) who chooses an account. None is
 * accessible to scripts or sent with requests of other sites except top-level navigation, and all are secure if the
 * server is reached over https. Tests: signIn.test.ts.
 */
import {
  IDENTITY_TICKET_TTL_MS,
  SESSION_COOKIE,
  SESSION_COOKIE_MAX_AGE_SECONDS
} from "@winnow/core/domain/access/Session";
import * as Duration from "effect/Duration";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { basePathOf } from "../../http/PublicUrl.ts";

type Response = HttpServerResponse.HttpServerResponse;

/** What sets and clears a cookie, with the same attributes. */
const cookie = (name: string, pathOf: (base: string) => string, maxAgeSeconds: number) => {
  const write = (response: Response, value: string, publicUrl: string, seconds: number): Response =>
    HttpServerResponse.setCookieUnsafe(response, name, value, {
      httpOnly: true,
      // A sign-in comes back by a redirect from another site.
      sameSite: "lax",
      path: pathOf(basePathOf(publicUrl)),
      secure: publicUrl.startsWith("https:"),
      maxAge: Duration.seconds(seconds)
    });
  return {
    set: (response: Response, value: string, publicUrl: string) =>
      write(response, value, publicUrl, maxAgeSeconds),
    clear: (response: Response, publicUrl: string) => write(response, "", publicUrl, 0)
  };
};

/** Two servers on one host under different paths do not sign each other out. */
export const { set: setSessionCookie, clear: clearSessionCookie } = cookie(
  SESSION_COOKIE,
  (base) => base || "/",
  SESSION_COOKIE_MAX_AGE_SECONDS
);

const ofSignIn = (base: string): string => `${base}/sign-in`;

export const PENDING_COOKIE = "winnow_sign_in";

/** Enough time to look up a password. */
const PENDING_TTL_SECONDS = 600;

/** Browsers reject cookies of more than 4,096 bytes. */
const TO_CHARS_MAX = 1_000;

const pendingCookie = cookie(PENDING_COOKIE, ofSignIn, PENDING_TTL_SECONDS);

export const clearPending = pendingCookie.clear;

const Pending = Schema.Struct({ method: Schema.String, to: Schema.String, pending: Schema.String });
type Pending = typeof Pending.Type;

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Pending));

export const setPending = (
  response: Response,
  { method, to, pending }: Pending,
  publicUrl: string
): Response => {
  const content = { method, to: to.length > TO_CHARS_MAX ? "" : to, pending };
  const value = Buffer.from(JSON.stringify(content)).toString("base64url");
  return pendingCookie.set(response, value, publicUrl);
};

/** Null if there is none, or if we did not set it. */
export const readPending = (cookies: Readonly<Record<string, string | undefined>>): Pending | null =>
  Option.getOrNull(decode(Buffer.from(cookies[PENDING_COOKIE] ?? "", "base64url").toString("utf8")));

export const PERSON_COOKIE = "winnow_person";

export const { set: setPerson, clear: clearPerson } = cookie(
  PERSON_COOKIE,
  ofSignIn,
  IDENTITY_TICKET_TTL_MS / 1_000
);
