/**
 * Members of an account: people who may sign in through an identity service (ports/SignInMethod).
 *
 * A member is added by e-mail address. The first person who signs in with that address becomes the member and is
 * then identified by the issuer's id, because addresses change owners.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { InvalidRequest } from "./Refusal.ts";

/** Maximum members per account. */
export const MEMBERS_MAX = 100;

/** RFC 5321, section 4.5.3.1.3. */
const EMAIL_CHARS_MAX = 254;

/** What a sign-in method reports about a person. */
export interface Identity {
  /** The issuer's URL, or the name of the sign-in method. */
  readonly issuer: string;
  /** The issuer's id for the person, which is never reassigned. */
  readonly subject: string;
  /** In lower case; only if the issuer has verified it. */
  readonly email: string | null;
  readonly name: string | null;
}

export const Member = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** In lower case. */
  email: Schema.NullOr(Schema.String),
  /** Both null until the first sign-in. */
  issuer: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int
});
export type Member = typeof Member.Type;

/** Checks the syntax only. Lower case, as most mail servers ignore case. */
export const readEmail = (text: string): string | null => {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_CHARS_MAX && /^[^\s@<>",;:]+@[^\s@<>",;:]+$/u.test(email) ? email : null;
};

/** @fails InvalidRequest {param:"email"} */
export const parseMemberEmail = (text: string): Result.Result<string, InvalidRequest> => {
  const email = readEmail(text);
  return email === null
    ? Result.fail(
        new InvalidRequest({
          message: "`email` must be one e-mail address, such as ada@example.com.",
          details: { param: "email" }
        })
      )
    : Result.succeed(email);
};

export const isOf = (member: Member, { issuer, subject }: Identity): boolean =>
  member.issuer === issuer && member.subject === subject;
