/**
 * A way of signing in that tells who somebody is. Whose account that is, and whether they get a session, the
 * engine decides (engine/SignIn); an operator has any number of ways beside the one-time link.
 *
 * A way may have to send the browser elsewhere and hear the answer when it comes back. What it must remember in
 * between goes into `pending`, which the caller keeps with that browser alone and hands back once.
 */
import * as Context from "effect/Context";
import * as Data from "effect/Data";
import type * as Effect from "effect/Effect";
import type { Identity } from "../domain/Member.ts";

/** What a way may look at. */
export interface SignInRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Of the socket: who really sent it. Null where nobody can tell. */
  readonly remoteAddress: string | null;
  /** Absolute; where the browser is to come back to. */
  readonly callbackUrl: string;
}

export type Begun =
  | { readonly _tag: "Known"; readonly identity: Identity }
  | {
      readonly _tag: "Away";
      readonly url: string;
      /** At most 2,000 characters. */
      readonly pending: string;
    };

export type SignInRefusal =
  /** The request came around the proxy that vouches for people. */
  | "untrusted_proxy"
  /** The proxy named nobody. */
  | "nobody_named"
  /** The issuer does not respond, or not as it should; trying again may help. */
  | "issuer_unreachable"
  /** The answer was not made for this browser, was changed, is over, or the person said no. */
  | "answer_refused";

/** `message` is for the person who signs in. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{
  readonly reason: SignInRefusal;
  readonly message: string;
}> {}

export interface SignInMethod {
  /** Part of a path, `oidc` for instance. */
  readonly name: string;
  /** Completes "Sign in with ...". */
  readonly label: string;
  /** Of every identity that it tells. */
  readonly issuer: string;
  /** It needs no choice of the person, so that nobody has to press a button. */
  readonly isAutomatic: boolean;
  readonly begin: (request: SignInRequest) => Effect.Effect<Begun, SignInRefused>;
  /** `answerUrl` is the callback with what the issuer added to it. Never called of a way that is automatic. */
  readonly finish: (answerUrl: string, pending: string) => Effect.Effect<Identity, SignInRefused>;
  /**
   * Whether a request with a session of this way still comes from whom it was opened for. A proxy names the
   * person in each request, and may name another one; where nobody is named, nobody else is.
   */
  readonly isStill: (request: Omit<SignInRequest, "callbackUrl">, subject: string) => boolean;
}

/** In the order in which they are offered. */
export const SignInMethods = Context.Reference<ReadonlyArray<SignInMethod>>(
  "@winnow/core/ports/SignInMethod",
  { defaultValue: () => [] }
);
