/**
 * The header that begins and ends a web session.
 */
import * as Schema from "effect/Schema";
import { SESSION_COOKIE } from "@winnow/core/domain/Session";

export const SetCookie = Schema.String.check(
  Schema.isPattern(new RegExp(`^${SESSION_COOKIE}=`, "u"))
).annotate({
  description: `The cookie \`${SESSION_COOKIE}\`: HttpOnly, SameSite=Lax, Secure where the server is on https.`
});

/** The cookie above, or the one that holds the way to an issuer and back to one browser. */
export const SignInCookie = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?:${SESSION_COOKIE}|winnow_sign_in)=`, "u"))
).annotate({
  description: `The cookie \`${SESSION_COOKIE}\`, or \`winnow_sign_in\` on the way to an issuer: HttpOnly, SameSite=Lax.`
});
