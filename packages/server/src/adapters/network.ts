/** The settings of the egress guard, and the webhooks that go through it. Tests: serve.test.ts. */
import type { InvalidEgressSetting } from "@winnow/isolation/network/guard/Guard";
import * as GuardedWebhooks from "@winnow/adapters/webhooks/GuardedWebhooks";
import type { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { notStarted } from "../settings/StartFailed.ts";

export const egressSettings = (settings: Settings) => ({
  allow: settings.egressAllow,
  ...(settings.upstreamProxy === null ? {} : { upstreamProxy: Redacted.value(settings.upstreamProxy) })
});

export const badEgress = <Services>({ setting, message }: InvalidEgressSetting) =>
  notStarted<Services>(
    told`${setting === "allow" ? SETTINGS.egressAllow : SETTINGS.upstreamProxy}: ${message}.`
  );

export const webhookTransport = (settings: Settings) =>
  GuardedWebhooks.layer(egressSettings(settings)).pipe(
    Layer.catchTag("InvalidEgressSetting", badEgress<WebhookTransport>)
  );
