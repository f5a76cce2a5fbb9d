/**
 * Wire shapes of the account's members and of the ways in which they sign in.
 */
import * as Schema from "effect/Schema";
import { DateTime, described } from "./described.ts";

export const MemberBody = described(
  { email: Schema.String },
  {
    identifier: "MemberBody",
    description: "Somebody to add.",
    fields: { email: "Their e-mail address, as their sign-in service vouches for it." },
    examples: [{ email: "ada@example.com" }]
  }
);

const example = {
  id: "mem_01jd0v7m3ybe1q4sc8v2k9xk5t",
  email: "ada@example.com",
  name: "248289761001",
  createdAt: "2026-11-22T10:00:00.000Z"
};

export const MemberItem = described(
  {
    id: Schema.String,
    email: Schema.NullOr(Schema.String),
    name: Schema.NullOr(Schema.String),
    createdAt: DateTime
  },
  {
    identifier: "Member",
    description: "Somebody who may sign in to the account.",
    fields: {
      id: "Opaque.",
      email: "The address that they were added by; null when they signed up without one.",
      name: "What their sign-in service calls them; null until they have signed in.",
      createdAt: "When they were added."
    },
    examples: [example]
  }
);

export const MemberList = described(
  { data: Schema.Array(MemberItem) },
  {
    identifier: "MemberList",
    description: "The members of the account.",
    fields: { data: "Oldest first." },
    examples: [{ data: [example] }]
  }
);

const SignInMethod = described(
  { name: Schema.String, label: Schema.String, isAutomatic: Schema.Boolean },
  {
    identifier: "SignInMethod",
    description: "A way of signing in.",
    fields: {
      name: "`/sign-in/NAME` begins it.",
      label: 'Completes "Sign in with ...".',
      isAutomatic: "It asks the person nothing."
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
    description: "Ways of signing in, beside the operator's one-time link.",
    fields: {
      data: "In the order in which they are offered.",
      ownSignIn:
        "An application around the server signs people in: sessions and links are none of the server's.",
      signInUrl: "Where that application does; null when it did not say."
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
