/**
 * The header that starts and ends a web session.
 */
import * as Schema from "effect/Schema";
import { SESSION_COOKIE } from "@winnow/core/domain/access/Session";

export const SetCookie = Schema.String.check(
  Schema.isPattern(new RegExp(`^${SESSION_COOKIE}=`, "u"))
).annotate({
  description: `The cookie \`${SESSION_COOKIE}\`: HttpOnly, SameSite=Lax, and Secure if the public URL is https.`
});

/** The cookie above, or one that is needed during a sign-in. */
export const SignInCookie = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?:${SESSION_COOKIE}|winnow_sign_in|winnow_person)=`, "u"))
).annotate({
  description:
    `The cookie \`${SESSION_COOKIE}\`, or \`winnow_sign_in\` during a sign-in with OpenID Connect, or ` +
    `\`winnow_person\` while choosing an account: HttpOnly, SameSite=Lax.`
});
