/**
 * Wire shapes of signing in: the methods, and the headers that start and end a web session.
 */
import * as Schema from "effect/Schema";
import { described } from "../../http/openapi/described.ts";
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

const SignInMethod = described(
  { name: Schema.String, label: Schema.String, isAutomatic: Schema.Boolean },
  {
    identifier: "SignInMethod",
    description: "A sign-in method.",
    fields: {
      name: "`/sign-in/NAME` starts it.",
      label: 'Completes "Sign in with …".',
      isAutomatic: "Whether it works without any input from the user."
    }
  }
);

export const SignInMethodList = described(
  {
    data: Schema.Array(SignInMethod),
    ownSignIn: Schema.Boolean,
    signInUrl: Schema.NullOr(Schema.String)
  },
  {
    identifier: "SignInMethods",
    description: "Sign-in methods other than the operator's one-time link.",
    fields: {
      data: "In display order.",
      ownSignIn:
        "Whether an embedding application handles sign-in; the server then has no sessions or links of its " +
        "own.",
      signInUrl: "Sign-in page of that application; null if it has not set one."
    },
    examples: [
      {
        data: [{ name: "oidc", label: "login.example", isAutomatic: false }],
        ownSignIn: false,
        signInUrl: null
      }
    ]
  }
);
