/**
 * A payment service that sells credits. It has its own checkout page, to which the browser is redirected and
 * from which it returns. Payments are reported only by signed webhooks, never by the browser.
 */
import * as Context from "effect/Context";
import * as Data from "effect/Data";
import type * as Effect from "effect/Effect";
import type { CreditPack } from "../domain/money/CreditPack.ts";
import type { PaymentNotice } from "../domain/money/Payment.ts";

export interface CheckoutStart {
  readonly accountId: string;
  readonly pack: CreditPack;
  /** Absolute URL the browser returns to after the payment. */
  readonly paidUrl: string;
  /** Absolute URL the browser returns to if the payment is cancelled. */
  readonly leftUrl: string;
}

/** A request to `/payments/NAME`. */
export interface SignedNotice {
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The service does not respond or returned an error; nothing was charged. Retrying is safe. */
export class CheckoutFailed extends Data.TaggedError("CheckoutFailed")<{ readonly cause: unknown }> {}

/** The signature of the notice is invalid or too old. */
export class NoticeRefused extends Data.TaggedError("NoticeRefused")<{ readonly message: string }> {}

export interface Checkout {
  /** Used in paths, for instance `stripe`. */
  readonly name: string;
  /** Creates a checkout page for the pack and returns its URL; takes at most 10 s. */
  readonly start: (request: CheckoutStart) => Effect.Effect<{ readonly url: string }, CheckoutFailed>;
  /** None if the notice does not concern credits. Repeated notices are returned again. */
  readonly read: (
    notice: SignedNotice
  ) => Effect.Effect<ReadonlyArray<PaymentNotice>, NoticeRefused | CheckoutFailed>;
}

/** Null if no credits are sold. */
export const CheckoutService = Context.Reference<Checkout | null>("@winnow/core/ports/Checkout", {
  defaultValue: () => null
});
