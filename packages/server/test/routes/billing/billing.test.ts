import { assert, layer } from "@effect/vitest";
import { makeStripe } from "@winnow/adapters/accounts/StripeCheckout";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import {
  signedEvent,
  signedText,
  startFakeStripe,
  WEBHOOK_SECRET,
  type FakeStripe
} from "../../FakeStripe.ts";
import { signedIn } from "../../SignedIn.ts";
import { PUBLIC_URL, TestApp } from "../../TestApp.ts";

class Stripe extends Context.Service<Stripe, FakeStripe>()("@winnow/server/test/Stripe") {}

const PACKS = [
  { credits: 100_000, priceCents: 1_000 },
  { credits: 1_000_000, priceCents: 9_000 }
];

const selling = Layer.unwrap(
  Effect.map(Stripe, ({ api }) =>
    TestApp.with({
      creditPacks: PACKS,
      checkout: makeStripe({
        secretKey: Redacted.make("sk_test_1"),
        webhookSecret: Redacted.make(WEBHOOK_SECRET),
        api
      })
    })
  )
).pipe(Layer.provideMerge(Layer.effect(Stripe, startFakeStripe)));

/** A user who has just been sent to the payment page. */
const buying = Effect.fnUntraced(function* (credits = 100_000) {
  const { account } = yield* TestApp;
  const { asked, payments } = yield* Stripe;
  const me = yield* account(0);
  const person = yield* signedIn(me.id);
  const { status, json } = yield* person.ask("/v1/top-ups", { body: { credits } });
  assert.strictEqual(status, 201);
  const form = asked.at(-1)?.form ?? new URLSearchParams();
  const payment = [...payments.values()].at(-1);
  const id = payment?.id ?? "";
  const balance = Effect.map(person.ask("/v1/account"), (answer) => answer.json.balance as number);
  const session = {
    id: "cs_1",
    object: "checkout.session",
    payment_intent: id,
    payment_status: "paid",
    metadata: payment?.metadata
  };
  return { ...person, ...me, url: json.url as string, form, id, session, balance };
});

const post = (body: string, signature: string) =>
  TestApp.use(({ call }) =>
    call("/payments/stripe", { method: "POST", body, headers: { "stripe-signature": signature } })
  );

const tell = Effect.fnUntraced(function* (type: string, object: object) {
  const { body, signature } = yield* Effect.promise(() => signedEvent(type, object));
  return yield* post(body, signature);
});

const PAID = "checkout.session.completed";

const kindsOf = (ask: Effect.Success<ReturnType<typeof signedIn>>["ask"]) =>
  Effect.map(ask("/v1/ledger"), ({ json }) =>
    json.data.map(({ kind, credits }: { kind: string; credits: number }) => [kind, credits])
  );

layer(selling, { excludeTestServices: true })("selling credits with Stripe Checkout", (it) => {
  it.effect("the offer is at /v1/billing, and buying redirects to Stripe's page", () =>
    Effect.gen(function* () {
      const { ask, url, form, id } = yield* buying(1_000_000);
      const { json } = yield* ask("/v1/billing");
      assert.deepStrictEqual(json, {
        methods: ["stripe"],
        packs: PACKS,
        minimumCredits: 100_000,
        note: null
      });
      assert.match(url, /^https:\/\/checkout\.example\/cs_\d+$/u);
      assert.strictEqual(form.get("mode"), "payment");
      assert.strictEqual(form.get("line_items[0][price_data][unit_amount]"), "9000");
      assert.strictEqual(form.get("success_url"), `${PUBLIC_URL}/app/settings/usage?paid=yes`);
      assert.match(id, /^pi_/u);
    })
  );

  it.effect("credits are added by the signed notification, once even if it is repeated", () =>
    Effect.gen(function* () {
      const { ask, session, balance } = yield* buying();
      assert.strictEqual(yield* balance, 0);
      const { body, signature } = yield* Effect.promise(() => signedEvent(PAID, session));
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, () => post(body, signature)),
        { concurrency: 10 }
      );
      for (const { status } of answers) assert.strictEqual(status, 204);
      yield* tell("checkout.session.async_payment_succeeded", session);
      assert.strictEqual(yield* balance, 101_000);
      assert.deepStrictEqual(yield* kindsOf(ask), [
        ["bonus", 1_000],
        ["top_up", 100_000]
      ]);
    })
  );

  it.effect("a session that completes before payment adds no credits yet", () =>
    Effect.gen(function* () {
      const { session, balance } = yield* buying();
      yield* tell(PAID, { ...session, payment_status: "unpaid" });
      yield* tell("checkout.session.async_payment_failed", session);
      assert.strictEqual(yield* balance, 0);
      yield* tell("checkout.session.async_payment_succeeded", session);
      assert.strictEqual(yield* balance, 101_000);
    })
  );

  it.effect("only unmodified, recent notifications signed by Stripe count", () =>
    Effect.gen(function* () {
      const { session, balance } = yield* buying();
      const { body, signature } = yield* Effect.promise(() => signedEvent(PAID, session));
      const stranger = yield* Effect.promise(() => signedEvent(PAID, session, { secret: "whsec_other" }));
      const old = yield* Effect.promise(() => signedEvent(PAID, session, { timestamp: 1_700_000_000 }));
      const cases = [
        [body.replace("100000", "900000"), signature],
        [body, ""],
        [body, "t=1,v1=00"],
        [stranger.body, stranger.signature],
        [old.body, old.signature],
        ["", signature]
      ] as const;
      for (const [text, sent] of cases) {
        const { status, json } = yield* post(text, sent);
        assert.strictEqual(status, 400);
        assert.strictEqual(json.error.details.reason, "not_signed");
      }
      assert.strictEqual(yield* balance, 0);
      const { call } = yield* TestApp;
      assert.strictEqual((yield* call("/payments/paypal", { method: "POST", body })).status, 404);
    })
  );

  it.effect("refunds and disputes adjust the balance by their share, in any order", () =>
    Effect.gen(function* () {
      const { ask, id, session, balance } = yield* buying();
      const refund = { id: "re_1", object: "refund", amount: 250, status: "succeeded", payment_intent: id };
      const dispute = { id: "du_1", object: "dispute", amount: 1_000, payment_intent: id };
      // Arrives before the payment itself.
      yield* tell("refund.created", refund);
      assert.strictEqual(yield* balance, 0);
      yield* tell(PAID, session);
      assert.strictEqual(yield* balance, 76_000);
      yield* tell("refund.updated", refund);
      yield* tell("charge.dispute.funds_withdrawn", dispute);
      assert.strictEqual(yield* balance, 1_000);
      yield* tell("charge.dispute.funds_reinstated", dispute);
      yield* tell("charge.dispute.funds_withdrawn", dispute);
      assert.strictEqual(yield* balance, 76_000);
      yield* tell("refund.failed", { ...refund, status: "failed" });
      assert.strictEqual(yield* balance, 101_000);
      assert.deepStrictEqual(yield* kindsOf(ask), [
        ["adjustment", 25_000],
        ["adjustment", 75_000],
        ["adjustment", -75_000],
        ["adjustment", -25_000],
        ["bonus", 1_000],
        ["top_up", 100_000]
      ]);
    })
  );

  it.effect("events that are null, without data, odd or unknown to Stripe are ignored", () =>
    Effect.gen(function* () {
      const { ask, id, session, balance } = yield* buying();
      const refund = { id: "re_1", amount: 250, status: "succeeded", payment_intent: id };
      const objects: ReadonlyArray<unknown> = [
        null,
        "text",
        [],
        {},
        { ...refund, payment_intent: null },
        { ...refund, payment_intent: "pi_unknown" },
        { ...refund, payment_intent: { id: 7 } },
        { ...refund, amount: "250" },
        { ...refund, amount: -250 },
        { ...refund, id: null },
        { ...session, metadata: "text" },
        { ...session, payment_intent: [] },
        { ...session, metadata: { ...session.metadata, winnow_credits: "1e400" } }
      ];
      const types = [PAID, "refund.created", "charge.dispute.funds_withdrawn", "of.tomorrow"];
      const events = [null, 7, "text", [], {}, { type: PAID }, { type: PAID, data: null }, { data: {} }];
      const bodies = [
        ...events,
        { object: "v2.core.event", type: "v1.billing.meter.no_meter_found" },
        ...types.flatMap((type) => objects.map((object) => ({ type, data: { object } })))
      ].map((event) => JSON.stringify(event));
      const sent = bodies.filter(
        (body) => !body.includes(`"payment_intent":"${id}"`) || body.includes("-250")
      );
      for (const body of [...sent, "no JSON", "{"]) {
        const { signature } = yield* Effect.promise(() => signedText(body));
        assert.strictEqual((yield* post(body, signature)).status, 204, body);
      }
      assert.strictEqual(yield* balance, 0);
      assert.deepStrictEqual(yield* kindsOf(ask), []);
    })
  );

  it.effect(
    "a payment that names a second account is credited once, and refunds are taken from the first",
    () =>
      Effect.gen(function* () {
        const { id, session, balance } = yield* buying();
        const other = yield* buying();
        yield* tell(PAID, session);
        const metadata = {
          ...session.metadata,
          winnow_account: other.session.metadata?.["winnow_account"] ?? ""
        };
        const { payments } = yield* Stripe;
        assert.strictEqual((yield* tell(PAID, { ...session, metadata })).status, 204);
        assert.deepStrictEqual([yield* balance, yield* other.balance], [101_000, 0]);
        payments.set(id, { id, amount: 1_000, metadata });
        yield* tell("refund.created", { id: "re_1", amount: 250, status: "succeeded", payment_intent: id });
        assert.deepStrictEqual([yield* balance, yield* other.balance], [76_000, 0]);
      })
  );

  it.effect("other payments of the same Stripe account are ignored", () =>
    Effect.gen(function* () {
      const { sell } = yield* Stripe;
      sell({ id: "pi_shop", amount: 500, metadata: {} });
      sell({
        id: "pi_server",
        amount: 500,
        metadata: { winnow_account: "acc_elsewhere", winnow_credits: "5" }
      });
      for (const payment_intent of ["pi_shop", "pi_server"]) {
        const refund = { id: `re_${payment_intent}`, amount: 500, status: "succeeded", payment_intent };
        assert.strictEqual((yield* tell("refund.created", refund)).status, 204);
      }
      const foreign = { payment_intent: "pi_shop", payment_status: "paid", metadata: {} };
      assert.strictEqual((yield* tell(PAID, foreign)).status, 204);
      assert.strictEqual((yield* tell("customer.created", { id: "cus_1" })).status, 204);
    })
  );

  it.effect("only offered packs are sold, only to signed-in people, and only while Stripe responds", () =>
    Effect.gen(function* () {
      const { ask, key } = yield* buying();
      const odd = yield* ask("/v1/top-ups", { body: { credits: 7 } });
      assert.strictEqual(odd.status, 400);
      assert.deepStrictEqual(odd.json.error.details, { param: "credits", offered: [100_000, 1_000_000] });
      const { call } = yield* TestApp;
      const program = yield* call("/v1/top-ups", { key, body: { credits: 100_000 } });
      assert.strictEqual(program.status, 401);
      const { setAway } = yield* Stripe;
      setAway(true);
      const away = yield* ask("/v1/top-ups", { body: { credits: 100_000 } });
      setAway(false);
      assert.strictEqual(away.status, 503);
    })
  );
});

layer(TestApp.layer, { excludeTestServices: true })("a server that sells nothing", (it) => {
  it.effect("says so", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { id } = yield* account(0);
      const { ask } = yield* signedIn(id);
      const { json } = yield* ask("/v1/billing");
      assert.deepStrictEqual(json, { methods: [], packs: [], minimumCredits: null, note: null });
      const refused = yield* ask("/v1/top-ups", { body: { credits: 100_000 } });
      assert.strictEqual(refused.status, 400);
      assert.strictEqual(refused.json.error.details.reason, "not_sold");
      assert.strictEqual((yield* call("/payments/stripe", { method: "POST", body: "{}" })).status, 404);
    })
  );
});
