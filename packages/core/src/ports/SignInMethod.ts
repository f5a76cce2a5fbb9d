/**
 * A sign-in method that identifies a person. The engine decides which account that is and whether they get a
 * session (engine/accounts/SignIn). An operator can offer any number of methods in addition to the one-time link.
 *
 * A method may redirect the browser elsewhere and process its return. The state in between is `pending`, which
 * the caller stores in that browser and passes back once.
 */
import * as Context from "effect/Context";
import * as Data from "effect/Data";
import type * as Effect from "effect/Effect";
import type { Identity } from "../domain/access/Member.ts";

/** The request, as far as methods need it. */
export interface SignInRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Address of the socket's peer; null if unknown. */
  readonly remoteAddress: string | null;
  /** Base URL of this server as people reach it. */
  readonly publicUrl: string;
  /** Absolute URL that the browser returns to. */
  readonly callbackUrl: string;
}

export type SignInStart =
  | { readonly _tag: "Known"; readonly identity: Identity }
  | {
      readonly _tag: "Away";
      readonly url: string;
      /** At most 2,000 characters. */
      readonly pending: string;
    };

export type SignInRefusal =
  /** The request did not come through the trusted proxy. */
  | "untrusted_proxy"
  /** The request is for another host than the public URL's. */
  | "wrong_host"
  /** The proxy did not name a person. */
  | "nobody_named"
  /** The issuer does not respond correctly; a retry may help. */
  | "issuer_unreachable"
  /** The response belongs to another browser, was modified, has expired, or the person denied the sign-in. */
  | "answer_refused";

/** `message` is shown to the person. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{
  readonly reason: SignInRefusal;
  readonly message: string;
}> {}

export interface SignInMethod {
  /** Used in paths, for instance `oidc`. */
  readonly name: string;
  /** Completes "Sign in with ...". */
  readonly label: string;
  /** The issuer of all its identities. */
  readonly issuer: string;
  /** Whether it works without user interaction. */
  readonly isAutomatic: boolean;
  readonly begin: (request: SignInRequest) => Effect.Effect<SignInStart, SignInRefused>;
  /** `answerUrl` is the callback URL with the issuer's parameters. Never called for automatic methods. */
  readonly finish: (answerUrl: string, pending: string) => Effect.Effect<Identity, SignInRefused>;
  /**
   * Whether a request with a session of this method still comes from the same person. A proxy names the person
   * in each request and may name another one; a request without a name counts as the same person.
   */
  readonly isStill: (request: Omit<SignInRequest, "callbackUrl">, subject: string) => boolean;
}

/** In display order. */
export const SignInMethods = Context.Reference<ReadonlyArray<SignInMethod>>(
  "@winnow/core/ports/SignInMethod",
  { defaultValue: () => [] }
);
