/** What every payment service promises, with purchases that the caller makes at it. Run by checkout.test.ts. */
import { assert, describe, it } from "@effect/vitest";
import type { CreditPack } from "@winnow/core/domain/money/CreditPack";
import type { Checkout, CheckoutStart, SignedNotice } from "@winnow/core/ports/Checkout";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";

export interface CheckoutCase {
  readonly checkout: Checkout;
  readonly pack: CreditPack;
  /** The notice of the payment of the purchase that was started last. */
  readonly paid: Effect.Effect<SignedNotice>;
  /** Signed as well, about something else than credits. */
  readonly other: Effect.Effect<SignedNotice>;
  /** From now on, the service answers nothing useful. */
  readonly goAway: Effect.Effect<void>;
}

const ACCOUNT = "acc_checkout";

const startOf = ({ pack }: CheckoutCase): CheckoutStart => ({
  accountId: ACCOUNT,
  pack,
  paidUrl: "https://winnow.example/app/settings/usage?paid=yes",
  leftUrl: "https://winnow.example/app/settings/usage"
});

const changed = ({ body, headers }: SignedNotice): SignedNotice => ({
  headers,
  body: new TextEncoder().encode(`${new TextDecoder().decode(body)} `)
});

export const suite = (name: string, open: Effect.Effect<CheckoutCase, never, Scope.Scope>): void => {
  const test = (title: string, use: (given: CheckoutCase) => Effect.Effect<void, unknown>) =>
    it.live(title, () => Effect.scoped(Effect.flatMap(open, use)));

  describe(`Checkout: ${name}`, () => {
    test("a purchase begins at a page of the service, and its name fits into paths", (given) =>
      Effect.gen(function* () {
        assert.match(given.checkout.name, /^[a-z][a-z0-9-]*$/u);
        const { url } = yield* given.checkout.start(startOf(given));
        assert.match(url, /^https:\/\/[^/]+\//u);
      }));

    test("its payment is credits of the pack for the account, as often as it is told", (given) =>
      Effect.gen(function* () {
        yield* given.checkout.start(startOf(given));
        const notice = yield* given.paid;
        const notices = yield* given.checkout.read(notice);
        assert.lengthOf(notices, 1);
        assert.deepInclude(notices[0], { _tag: "Paid", accountId: ACCOUNT, credits: given.pack.credits });
        assert.deepStrictEqual(yield* given.checkout.read(notice), notices);
      }));

    test("a notice that was changed, or is not signed, is refused", (given) =>
      Effect.gen(function* () {
        yield* given.checkout.start(startOf(given));
        const notice = yield* given.paid;
        for (const bad of [changed(notice), { ...notice, headers: {} }]) {
          const error = yield* Effect.flip(given.checkout.read(bad));
          assert.strictEqual(error._tag, "NoticeRefused");
        }
      }));

    test("a notice of something else moves nothing", (given) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* given.checkout.read(yield* given.other), []);
      }));

    test("a purchase fails while the service is away", (given) =>
      Effect.gen(function* () {
        yield* given.goAway;
        const error = yield* Effect.flip(given.checkout.start(startOf(given)));
        assert.strictEqual(error._tag, "CheckoutFailed");
      }));
  });
};
