/**
 * State of a sign-in through another service, kept in a cookie that binds the response to this browser. Valid for
 * ten minutes below /sign-in, inaccessible to scripts.
 */
import * as Duration from "effect/Duration";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { basePathOf } from "../../http/PublicUrl.ts";

type Response = HttpServerResponse.HttpServerResponse;

const COOKIE = "winnow_sign_in";

/** Enough time to look up a password. */
const LIFETIME_SECONDS = 600;

/** Browsers reject cookies of more than 4,096 bytes. */
const TO_CHARS_MAX = 1_000;

const Pending = Schema.Struct({ method: Schema.String, to: Schema.String, pending: Schema.String });
export type Pending = typeof Pending.Type;

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Pending));

const attributes = (publicUrl: string, seconds: number) => ({
  httpOnly: true,
  // The redirect back comes from another site.
  sameSite: "lax" as const,
  path: `${basePathOf(publicUrl)}/sign-in`,
  secure: publicUrl.startsWith("https:"),
  maxAge: Duration.seconds(seconds)
});

export const setPending = (
  response: Response,
  { method, to, pending }: Pending,
  publicUrl: string
): Response => {
  const content = { method, to: to.length > TO_CHARS_MAX ? "" : to, pending };
  const value = Buffer.from(JSON.stringify(content)).toString("base64url");
  return HttpServerResponse.setCookieUnsafe(response, COOKIE, value, attributes(publicUrl, LIFETIME_SECONDS));
};

/** Null if there is none, or if we did not set it. */
export const readPending = (cookies: Readonly<Record<string, string | undefined>>): Pending | null =>
  Option.getOrNull(decode(Buffer.from(cookies[COOKIE] ?? "", "base64url").toString("utf8")));

export const clearPending = (response: Response, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(response, COOKIE, "", attributes(publicUrl, 0));
