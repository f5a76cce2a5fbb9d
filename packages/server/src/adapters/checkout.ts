/**
 * The payment service of the settings, loaded only when its key is set.
 */
import { requirePackage } from "@winnow/adapters/runtime/OptionalPackage";
import { CheckoutService } from "@winnow/core/ports/Checkout";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { StartFailed } from "../settings/StartFailed.ts";

export const checkout = (settings: Settings, secretKey: Redacted.Redacted) =>
  Layer.effect(
    CheckoutService,
    Effect.gen(function* () {
      yield* Effect.mapError(
        requirePackage("stripe"),
        ({ message }) => new StartFailed({ why: told`${message}\nOr unset ${SETTINGS.stripeSecretKey}.` })
      );
      const { makeStripe } = yield* Effect.promise(() => import("@winnow/adapters/accounts/StripeCheckout"));
      return makeStripe({ secretKey, webhookSecret: settings.stripeWebhookSecret ?? Redacted.make("") });
    })
  );
