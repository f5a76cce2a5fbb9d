/**
 * Wire shapes of members.
 */
import * as Schema from "effect/Schema";
import { DateTime, described } from "../../http/openapi/described.ts";

export const MemberBody = described(
  { email: Schema.String },
  {
    identifier: "MemberBody",
    description: "A member to invite.",
    fields: { email: "E-mail address, as confirmed by the member's identity provider." },
    examples: [{ email: "ada@example.com" }]
  }
);

const example = {
  id: "mem_01jd0v7m3ybe1q4sc8v2k9xk5t",
  email: "ada@example.com",
  name: "248289761001",
  status: "member",
  createdAt: "2026-11-22T10:00:00.000Z",
  expiresAt: null,
  invitedBy: null
} as const;

export const MemberItem = described(
  {
    id: Schema.String,
    email: Schema.NullOr(Schema.String),
    name: Schema.NullOr(Schema.String),
    status: Schema.Literals(["invited", "member"]),
    createdAt: DateTime,
    expiresAt: Schema.NullOr(DateTime),
    invitedBy: Schema.NullOr(Schema.String)
  },
  {
    identifier: "Member",
    description: "A person who may sign in to the account, or is invited to it.",
    fields: {
      id: "Opaque.",
      email: "The address they were invited with; null if they signed up without one.",
      name: "Their identifier at the identity provider; null while they are invited.",
      status: "`invited` until they accept the invitation.",
      createdAt: "When the member was invited, or signed up.",
      expiresAt: "When the invitation expires; null for members.",
      invitedBy: "Id of the member who invited them, who may have been removed since; null if it is unknown."
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
