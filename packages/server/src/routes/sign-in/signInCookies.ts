/**
 * The cookies of signing in: the web session, the state of a sign-in through another service, which binds its answer to
 * this browser, and the ticket of an identified person (domain/access/IdentityTicket) who chooses an account. None is
 * accessible to scripts or sent with requests of other sites except top-level navigation, and all are secure if the
 * server is reached over https.
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

const attributes = (publicUrl: string, path: string, maxAge: Duration.Duration) => ({
  httpOnly: true,
  // A sign-in comes back by a redirect from another site.
  sameSite: "lax" as const,
  path,
  secure: publicUrl.startsWith("https:"),
  maxAge
});

/** Two servers on one host under different paths do not sign each other out. */
const sessionAttributes = (publicUrl: string, maxAgeSeconds: number) =>
  attributes(publicUrl, basePathOf(publicUrl) || "/", Duration.seconds(maxAgeSeconds));

const signInAttributes = (publicUrl: string, maxAge: Duration.Duration) =>
  attributes(publicUrl, `${basePathOf(publicUrl)}/sign-in`, maxAge);

export const setSessionCookie = (response: Response, token: string, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(
    response,
    SESSION_COOKIE,
    token,
    sessionAttributes(publicUrl, SESSION_COOKIE_MAX_AGE_SECONDS)
  );

export const clearSessionCookie = (response: Response, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(response, SESSION_COOKIE, "", sessionAttributes(publicUrl, 0));

const PENDING_COOKIE = "winnow_sign_in";

/** Enough time to look up a password. */
const PENDING_TTL_SECONDS = 600;

/** Browsers reject cookies of more than 4,096 bytes. */
const TO_CHARS_MAX = 1_000;

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
  const options = signInAttributes(publicUrl, Duration.seconds(PENDING_TTL_SECONDS));
  return HttpServerResponse.setCookieUnsafe(response, PENDING_COOKIE, value, options);
};

/** Null if there is none, or if we did not set it. */
export const readPending = (cookies: Readonly<Record<string, string | undefined>>): Pending | null =>
  Option.getOrNull(decode(Buffer.from(cookies[PENDING_COOKIE] ?? "", "base64url").toString("utf8")));

export const clearPending = (response: Response, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(
    response,
    PENDING_COOKIE,
    "",
    signInAttributes(publicUrl, Duration.zero)
  );

export const PERSON_COOKIE = "winnow_person";

export const setPerson = (response: Response, ticket: string, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(
    response,
    PERSON_COOKIE,
    ticket,
    signInAttributes(publicUrl, Duration.millis(IDENTITY_TICKET_TTL_MS))
  );

export const clearPerson = (response: Response, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(response, PERSON_COOKIE, "", signInAttributes(publicUrl, Duration.zero));
