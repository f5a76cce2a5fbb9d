/** Sends webhooks through the egress guard. */
import * as GuardedWebhooks from "@winnow/adapters/network/webhooks/GuardedWebhooks";
import type { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as Layer from "effect/Layer";
import type { Settings } from "../settings/Config.ts";
import { badEgress, egressSettings } from "./egressSettings.ts";

export const webhookTransport = (settings: Settings) =>
  GuardedWebhooks.layer(egressSettings(settings)).pipe(
    Layer.catchTag("InvalidEgressSetting", badEgress<WebhookTransport>)
  );
