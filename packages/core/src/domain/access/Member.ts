/**
 * Members of an account: people who may sign in through an identity service (ports/SignInMethod).
 *
 * A person is invited by e-mail address. Several accounts may invite one address, and nobody learns whether others
 * did. When its owner signs in, they choose which invitation to accept; from then on they are identified by the
 * issuer's id, because addresses change owners. A person is a member of one account at most.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { DAY_MS } from "../Durations.ts";
import { NAME_CHARS_MAX } from "../text/NameText.ts";
import { refuse } from "../request/BodyFields.ts";
import type { InvalidRequest } from "../request/Refusal.ts";

/** Maximum members per account, including those who are invited. */
export const MEMBERS_MAX = 100;

/** How long an invitation waits: a holiday, and short enough that a mistyped address does not stay a way in. */
export const INVITATION_TTL_MS = 14 * DAY_MS;

/** Maximum invitations that a person chooses from: more than anybody needs, few enough for one page. */
export const INVITATIONS_SHOWN_MAX = 20;

/** RFC 5321, section 4.5.3.1.3. */
const EMAIL_CHARS_MAX = 254;

/** What a sign-in method reports about a person. */
export const Identity = Schema.Struct({
  /** The issuer's URL, or the name of the sign-in method. */
  issuer: Schema.String,
  /** The issuer's id for the person, which is never reassigned. */
  subject: Schema.String,
  /** As {@link readEmail} returns it; only if the issuer has verified it. */
  email: Schema.NullOr(Schema.String),
  /** As {@link readName} returns it. */
  name: Schema.NullOr(Schema.String)
});
export type Identity = typeof Identity.Type;

/** An issuer's text without what could not be stored, cut to {@link NAME_CHARS_MAX}; null if nothing is left. */
export const readName = (text: string): string | null =>
  Array.from(text.replaceAll("\0", "").toWellFormed().trim()).slice(0, NAME_CHARS_MAX).join("") || null;

/** Of an account that the person opens. */
export const accountNameOf = ({ name, email, subject }: Identity): string =>
  readName(name ?? email ?? subject) ?? subject;

export const Member = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** As {@link readEmail} returns it. */
  email: Schema.NullOr(Schema.String),
  /** Both null until the invitation is accepted. */
  issuer: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int,
  /** When the invitation expires; null for a person who has accepted it or signed up. */
  expiresAtMs: Schema.NullOr(Schema.Int),
  /** Id of the member who invited this person, who may have been removed since; null if it was nobody known. */
  invitedBy: Schema.NullOr(Schema.String)
});
export type Member = typeof Member.Type;

/** Letters of ASCII only: full case mapping would make the Kelvin sign a `k`, and so one person another. */
const inLowerCase = (text: string): string => text.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase());

/**
 * Checks the syntax only. ASCII letters become lower case, as most mail servers ignore their case; all other
 * characters are compared exactly.
 */
export const readEmail = (text: string): string | null => {
  const email = inLowerCase(text.trim());
  return email.length <= EMAIL_CHARS_MAX &&
    /^[^\s\p{Cc}\p{Cs}@<>",;:]+@[^\s\p{Cc}\p{Cs}@<>",;:]+$/u.test(email)
    ? email
    : null;
};

/** @fails InvalidRequest {param:"email"} */
export const parseMemberEmail = (text: string): Result.Result<string, InvalidRequest> => {
  const email = readEmail(text);
  return email === null
    ? refuse("email", "`email` must be one e-mail address, such as ada@example.com.")
    : Result.succeed(email);
};

export const isOf = (member: Member, { issuer, subject }: Identity): boolean =>
  member.issuer === issuer && member.subject === subject;

/** A new invitation. */
export const invitationOf = (
  invitation: Pick<Member, "id" | "accountId" | "email" | "invitedBy">,
  nowMs: number
): Member => ({
  ...invitation,
  issuer: null,
  subject: null,
  createdAtMs: nowMs,
  expiresAtMs: nowMs + INVITATION_TTL_MS
});
