/**
 * The service that takes money for credits. It has a page of its own for cards: the browser goes there and comes
 * back, and what happened is told by signed notices alone, never by the browser.
 */
import * as Context from "effect/Context";
import * as Data from "effect/Data";
import type * as Effect from "effect/Effect";
import type { CreditPack } from "../domain/CreditPack.ts";
import type { PaymentNotice } from "../domain/Payment.ts";

export interface CheckoutStart {
  readonly accountId: string;
  readonly pack: CreditPack;
  /** Absolute; where the browser comes back to when it was paid. */
  readonly paidUrl: string;
  /** Absolute; and when the person changed their mind. */
  readonly leftUrl: string;
}

/** What arrived at `/payments/NAME`. */
export interface SignedNotice {
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The service does not respond, or refuses; nothing was taken. Trying again is safe. */
export class CheckoutFailed extends Data.TaggedError("CheckoutFailed")<{ readonly cause: unknown }> {}

/** The notice is not the service's, was changed, or is older than it says signatures may be. */
export class NoticeRefused extends Data.TaggedError("NoticeRefused")<{ readonly message: string }> {}

export interface Checkout {
  /** Part of a path, `stripe` for instance. */
  readonly name: string;
  /** A page of the service, where the pack is paid for; within 10 s. */
  readonly start: (request: CheckoutStart) => Effect.Effect<{ readonly url: string }, CheckoutFailed>;
  /** None where it tells of nothing that concerns credits; the same notice again is told again. */
  readonly read: (
    notice: SignedNotice
  ) => Effect.Effect<ReadonlyArray<PaymentNotice>, NoticeRefused | CheckoutFailed>;
}

/** Null where credits are not sold. */
export const CheckoutService = Context.Reference<Checkout | null>("@winnow/core/ports/Checkout", {
  defaultValue: () => null
});
