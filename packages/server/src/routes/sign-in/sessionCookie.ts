/**
 * The cookie of a web session: inaccessible to scripts, not sent with requests of other sites except top-level
 * navigation, and secure if the server is reached over https.
 */
import { SESSION_COOKIE, SESSION_COOKIE_MAX_AGE_SECONDS } from "@winnow/core/domain/access/Session";
import { basePathOf } from "../../http/PublicUrl.ts";
import * as Duration from "effect/Duration";
import * as HttpServerResponse from "effect/http/HttpServerResponse";

type Response = HttpServerResponse.HttpServerResponse;

const attributes = (publicUrl: string, maxAgeSeconds: number) => ({
  httpOnly: true,
  sameSite: "lax" as const,
  // Two servers on one host under different paths do not sign each other out.
  path: basePathOf(publicUrl) || "/",
  secure: publicUrl.startsWith("https:"),
  maxAge: Duration.seconds(maxAgeSeconds)
});

export const setSessionCookie = (response: Response, token: string, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(
    response,
    SESSION_COOKIE,
    token,
    attributes(publicUrl, SESSION_COOKIE_MAX_AGE_SECONDS)
  );

export const clearSessionCookie = (response: Response, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(response, SESSION_COOKIE, "", attributes(publicUrl, 0));
