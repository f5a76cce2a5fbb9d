/**
 * Wire shapes of the operator's endpoints.
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import { DEFAULT_PLAN } from "@winnow/core/domain/money/Plan";
import * as Limits from "@winnow/core/domain/money/PlanLimits";
import { TopUpCredits } from "@winnow/core/domain/money/TopUp";
import { LIMIT_FIELDS, Name, PlanLimits } from "../account/AccountWire.ts";
import { DateTime, described, pageSchema } from "../../http/openapi/described.ts";

const PLAN = "Name of one of the server's plans (`WINNOW_PLANS`)";

export const AccountBody = described(
  { name: Name, plan: Schema.optionalKey(Schema.String) },
  {
    identifier: "AccountBody",
    description: "A new account.",
    fields: { name: "Display name.", plan: `${PLAN}; \`default\` if absent.` },
    examples: [{ name: "Newsroom" }]
  }
);

export type AccountBody = typeof AccountBody.Type;

const LimitsChange = described(Limits.LimitsChange.fields, {
  identifier: "LimitsChange",
  description: "Limits to change; null resets one to the plan's value.",
  fields: LIMIT_FIELDS,
  examples: [{ runningMax: 20, retentionDays: null }]
});

export const AccountChangeBody = described(
  {
    name: Schema.optionalKey(Name),
    plan: Schema.optionalKey(Schema.String),
    limits: Schema.optionalKey(LimitsChange)
  },
  {
    identifier: "AccountChangeBody",
    description: "Changes to an account. Absent fields stay as they are.",
    fields: {
      name: "Display name.",
      plan: `${PLAN}.`,
      limits: "Limits of this account, which override those of its plan; null resets one to the plan's value."
    },
    examples: [{ plan: "studio", limits: { runningMax: 20 } }]
  }
);

const newsroom = {
  id: "acc_01hzx3",
  name: "Newsroom",
  balance: 11_000,
  owedCredits: 0,
  plan: DEFAULT_PLAN,
  limits: Limits.DEFAULT_LIMITS
};

export const AccountResponse = described(
  {
    id: Schema.String,
    name: Schema.String,
    balance: Credits,
    owedCredits: Credits,
    plan: Schema.String,
    limits: PlanLimits
  },
  {
    identifier: "Account",
    description: "An account.",
    fields: {
      id: "Id of the account.",
      name: "Display name.",
      balance: "Credits.",
      owedCredits:
        "Credits of refunded or disputed payments that the balance did not hold. Refunds of runs and top-ups pay them first.",
      plan: "Name of its plan.",
      limits: "The limits that apply: the plan's, overridden by the account's own."
    },
    examples: [newsroom]
  }
);

export const AccountPage = pageSchema(AccountResponse, {
  identifier: "AccountPage",
  description: "One page of accounts.",
  example: newsroom
});

export const ApiKeyResponse = described(
  { id: Schema.String, name: Schema.String, key: Schema.String },
  {
    identifier: "ApiKey",
    description: "A new API key.",
    fields: {
      id: "Use it to revoke the key.",
      name: "Display name.",
      key: "Shown only once; store it safely."
    },
    examples: [{ id: "key_01hzx3", name: "Nightly import", key: "wnw_EXAMPLE" }]
  }
);

export const TopUpBody = described(
  {
    credits: TopUpCredits
  },
  {
    identifier: "TopUpBody",
    description: "Credits to add. The first top-up of an account adds a bonus of 1,000.",
    fields: { credits: "Whole credits; 1 credit is $0.0001." },
    examples: [{ credits: 10_000 }]
  }
);

export const TopUpResponse = described(
  { balance: Credits },
  {
    identifier: "Balance",
    description: "The balance after the top-up.",
    fields: { balance: "Credits." },
    examples: [{ balance: 11_000 }]
  }
);

export const SignInLinkResponse = described(
  { url: Schema.String, expiresAt: DateTime },
  {
    identifier: "SignInLink",
    description: "A one-time sign-in link to the web app.",
    fields: {
      url: "Open it in a browser. Works once and is shown only once.",
      expiresAt: "15 minutes after it was created."
    },
    examples: [
      {
        url: "https://winnow.example/sign-in?token=wnl_9PzSkQ3J0bQmH8cXw2Lr5TnV7yAdE4uGfK1sRoZiWj3vBqNt",
        expiresAt: "2026-11-21T08:15:00.000Z"
      }
    ]
  }
);
