/**
 * How people sign in besides the operator's links, and who sells credits; each loaded only if it is configured. Tests:
 * methods.test.ts, proxySignIn.test.ts, billing.test.ts.
 */
import { requirePackage } from "@winnow/adapters/runtime/OptionalPackage";
import { makeProxyHeader } from "@winnow/adapters/accounts/ProxyHeader";
import { CheckoutService } from "@winnow/core/ports/Checkout";
import type { SignInMethod } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { orUnset, type StartFailed } from "../settings/StartFailed.ts";

/** Loaded only if an issuer is configured. */
const oidc = Effect.fnUntraced(function* (issuer: string, { oidcClientId, oidcClientSecret }: Settings) {
  yield* Effect.mapError(requirePackage("openid-client"), orUnset(told`${SETTINGS.oidcIssuer}`));
  const { makeOidc } = yield* Effect.promise(() => import("@winnow/adapters/accounts/Oidc"));
  return makeOidc({ issuer, clientId: oidcClientId ?? "", clientSecret: oidcClientSecret });
});

export const signInMethods = Effect.fnUntraced(function* (
  settings: Settings
): Effect.fn.Return<ReadonlyArray<SignInMethod>, StartFailed> {
  const { signInHeader: header, trustedProxies, oidcIssuer } = settings;
  return [
    ...(header === null ? [] : [makeProxyHeader({ header, trustedProxies })]),
    ...(oidcIssuer === null ? [] : [yield* oidc(oidcIssuer, settings)])
  ];
});

/** The payment service. */
export const checkout = (settings: Settings, secretKey: Redacted.Redacted) =>
  Layer.effect(
    CheckoutService,
    Effect.gen(function* () {
      yield* Effect.mapError(requirePackage("stripe"), orUnset(told`${SETTINGS.stripeSecretKey}`));
      const { makeStripe } = yield* Effect.promise(() => import("@winnow/adapters/accounts/StripeCheckout"));
      return makeStripe({ secretKey, webhookSecret: settings.stripeWebhookSecret ?? Redacted.make("") });
    })
  );
