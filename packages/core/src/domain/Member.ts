/**
 * The people of an account: who may sign in to it by a way that tells who they are (ports/SignInMethod).
 *
 * Somebody is added by e-mail address. Whoever first comes with that address is the member from then on, and is
 * known by what the issuer calls them: addresses change hands, subjects do not.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { InvalidRequest } from "./Refusal.ts";

/** More than one balance is shared by. */
export const MEMBERS_MAX = 100;

/** RFC 5321, section 4.5.3.1.3. */
const EMAIL_CHARS_MAX = 254;

/** What a way of signing in says about a person. */
export interface Identity {
  /** Who says it: the issuer's URL, or the name of the way. */
  readonly issuer: string;
  /** What that issuer calls the person, never anybody else. */
  readonly subject: string;
  /** In lower case; only one that the issuer vouches for. */
  readonly email: string | null;
  readonly name: string | null;
}

export const Member = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** In lower case. */
  email: Schema.NullOr(Schema.String),
  /** Both null until the member has signed in. */
  issuer: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int
});
export type Member = typeof Member.Type;

/** Plainly an address: whether mail arrives there nobody asks. Lower case, as most servers take them. */
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
