/** The settings of selling credits. Tests: Config.test.ts, SettingError.test.ts. */
import { type CreditPack, PACKS_MAX, readCreditPack } from "@winnow/core/domain/money/CreditPack";
import { setting } from "./SettingRow.ts";
import { anyText, listOf, oneOf, token } from "./SettingValue.ts";

const creditPacks = listOf((items): ReadonlyArray<CreditPack> | null => {
  const packs = items.map(readCreditPack).filter((pack) => pack !== null);
  const isWhole = packs.length === items.length && packs.length >= 1 && packs.length <= PACKS_MAX;
  return isWhole && new Set(packs.map(({ credits }) => credits)).size === packs.length ? packs : null;
});

const DEFAULT_PACKS: ReadonlyArray<CreditPack> = [
  { credits: 50_000, priceCents: 500 },
  { credits: 100_000, priceCents: 1_000 },
  { credits: 500_000, priceCents: 5_000 }
];

export const BILLING_SETTINGS = {
  private: setting({
    name: "WINNOW_PRIVATE",
    ...oneOf("on", "off"),
    default: "off",
    meaning:
      "`on` for a server of your own: everything is free, without small limits; not with plans or the sale of credits"
  }),
  plans: setting({
    name: "WINNOW_PLANS",
    kind: anyText,
    expected: "the path of a JSON file of plans",
    default: null,
    meaning: "path of a JSON file of [plans](../pricing.md#plans), with limits and prices; reread on SIGHUP"
  }),
  stripeSecretKey: setting({
    name: "STRIPE_SECRET_KEY",
    kind: token,
    expected: "a Stripe secret key",
    default: null,
    meaning:
      "Stripe key for [selling credits](../operations.md#selling-credits); needs the npm package `stripe`",
    secret: true
  }),
  stripeWebhookSecret: setting({
    name: "STRIPE_WEBHOOK_SECRET",
    kind: token,
    expected: "the signing secret of a Stripe webhook endpoint",
    default: null,
    meaning:
      "signing secret of Stripe's webhook endpoint `PUBLIC_URL/payments/stripe`; required with the key",
    secret: true
  }),
  creditPacks: setting({
    name: "WINNOW_CREDIT_PACKS",
    kind: creditPacks,
    expected: `up to ${PACKS_MAX} amounts of credits, each at least 50 US cents: 50000 at the list price, or 1000000=90 at your own price in US dollars`,
    default: DEFAULT_PACKS,
    defaultText: "`50000,100000,500000`",
    meaning: `up to ${PACKS_MAX} packs for sale, comma-separated: credits at the list price (50000) or at yours in US dollars (1000000=90), for at least 50 cents`,
    engine: (packs) => ({ creditPacks: packs })
  }),
  topUpNote: setting({
    name: "WINNOW_TOP_UP_NOTE",
    kind: anyText,
    expected: "text shown to users",
    default: null,
    meaning: "what the web app says on how to get credits; an http(s) URL becomes a link",
    engine: (topUpNote) => ({ topUpNote })
  })
};
