/** Selling credits: the packs for sale, checkout, and webhooks of the payment service. Tests: the server's billing.test.ts. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { CreditPack } from "../../domain/money/CreditPack.ts";
import type { PaymentNotice } from "../../domain/money/Payment.ts";
import { decidePayment } from "../../domain/run/AccountDecisions.ts";
import { InvalidRequest, NotFound } from "../../domain/request/Refusal.ts";
import {
  CheckoutService,
  type CheckoutFailed,
  type NoticeRefused,
  type SignedNotice
} from "../../ports/Checkout.ts";
import { Store } from "../../ports/Store.ts";
import { EngineSettings } from "../EngineSettings.ts";

export interface Offer {
  /** Names of payment services; empty if nothing is sold. */
  readonly methods: ReadonlyArray<string>;
  /** In the operator's order. */
  readonly packs: ReadonlyArray<CreditPack>;
  /** The operator's note on how to get more credits. */
  readonly note: string | null;
}

export class Billing extends Context.Service<
  Billing,
  {
    readonly offer: Offer;

    /** @fails InvalidRequest {param:"credits"} with the amounts on offer, or {reason:"not_sold"} */
    readonly start: (
      accountId: string,
      credits: number
    ) => Effect.Effect<{ readonly url: string }, InvalidRequest | CheckoutFailed>;

    /**
     * Records the payment of a notice once, even if it is repeated or names several accounts: the first is
     * credited, and refunds are taken from it. Payments for unknown accounts, for instance of another server with
     * the same payment service, are ignored.
     *
     * @fails NotFound no payment service of that name
     */
    readonly receive: (
      method: string,
      notice: SignedNotice
    ) => Effect.Effect<void, NotFound | NoticeRefused | CheckoutFailed>;
  }
>()("@winnow/core/engine/accounts/Billing") {}

const notSold = () =>
  new InvalidRequest({
    message: "This server does not sell credits; ask its operator.",
    details: { param: "credits", reason: "not_sold" }
  });

const notOffered = (packs: ReadonlyArray<CreditPack>) =>
  new InvalidRequest({
    message: `\`credits\` must be one of the amounts on offer: ${packs.map(({ credits }) => credits).join(", ")}.`,
    details: { param: "credits", offered: packs.map(({ credits }) => credits) }
  });

const make = Effect.gen(function* () {
  const checkout = yield* CheckoutService;
  const store = yield* Store;
  const { creditPacks, topUpNote, publicUrl } = yield* EngineSettings;
  const packs = checkout === null ? [] : creditPacks;

  const decide = Effect.fnUntraced(function* (accountId: string, notice: PaymentNotice) {
    const nowMs = yield* Clock.currentTimeMillis;
    const { value } = yield* store.transact(accountId, decidePayment(notice, nowMs));
    return value;
  });

  const book = Effect.fnUntraced(
    function* (notice: PaymentNotice) {
      const decided = yield* decide(notice.accountId, notice);
      if (decided._tag === "Booked") return;
      if (notice._tag === "Paid") {
        return yield* Effect.logWarning("A payment was ignored: it is already another account's");
      }
      yield* decide(decided.accountId, notice);
    },
    (effect, { accountId, paymentId }) =>
      Effect.catchTag(effect, "NotFound", () =>
        Effect.logWarning("A payment for an unknown account was ignored")
      ).pipe(Effect.annotateLogs({ accountId, paymentId }))
  );

  return Billing.of({
    offer: { methods: checkout === null ? [] : [checkout.name], packs, note: topUpNote },

    start: Effect.fn("Billing.start")(function* (accountId, credits) {
      if (checkout === null) return yield* notSold();
      const pack = packs.find((each) => each.credits === credits);
      if (pack === undefined) return yield* notOffered(packs);
      const billing = `${publicUrl}/app/settings/usage`;
      return yield* checkout.start({ accountId, pack, paidUrl: `${billing}?paid=yes`, leftUrl: billing });
    }),

    receive: Effect.fn("Billing.receive")(function* (method, notice) {
      if (checkout?.name !== method) return yield* NotFound.of("payment service");
      yield* Effect.forEach(yield* checkout.read(notice), book, { discard: true });
    })
  });
});

export const layer: Layer.Layer<Billing, never, Store> = Layer.effect(Billing, make);
