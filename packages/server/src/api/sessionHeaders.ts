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
