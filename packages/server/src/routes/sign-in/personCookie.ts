/**
 * The ticket of an identified person (domain/access/IdentityTicket) in a cookie, while they choose an account. Valid below
 * /sign-in, inaccessible to scripts.
 */
import { IDENTITY_TICKET_TTL_MS } from "@winnow/core/domain/access/IdentityTicket";
import * as Duration from "effect/Duration";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { basePathOf } from "../../http/PublicUrl.ts";

type Response = HttpServerResponse.HttpServerResponse;

export const PERSON_COOKIE = "winnow_person";

const attributes = (publicUrl: string, lifetimeMs: number) => ({
  httpOnly: true,
  // The page with the choice may be reached by redirects from another site.
  sameSite: "lax" as const,
  path: `${basePathOf(publicUrl)}/sign-in`,
  secure: publicUrl.startsWith("https:"),
  maxAge: Duration.millis(lifetimeMs)
});

export const setPerson = (response: Response, ticket: string, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(
    response,
    PERSON_COOKIE,
    ticket,
    attributes(publicUrl, IDENTITY_TICKET_TTL_MS)
  );

export const clearPerson = (response: Response, publicUrl: string): Response =>
  HttpServerResponse.setCookieUnsafe(response, PERSON_COOKIE, "", attributes(publicUrl, 0));
