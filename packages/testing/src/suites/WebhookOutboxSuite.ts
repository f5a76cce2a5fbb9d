/**
 * What every implementation of WebhookOutbox promises, together with its Store and endpoints.
 */
import { layer as withLayer } from "@effect/vitest";
import type * as Layer from "effect/Layer";
import type { Store } from "@winnow/core/ports/Store";
import type { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import type { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { attempts, givingUp, together } from "./OutboxAttempts.ts";
import { claims, paces, turns } from "./OutboxClaims.ts";
import { log, redeliveries } from "./OutboxLog.ts";
import type { WebhookTests } from "../samples/webhookSteps.ts";

const PARTS: ReadonlyArray<(it: WebhookTests) => void> = [
  claims,
  turns,
  paces,
  attempts,
  together,
  givingUp,
  redeliveries,
  log
];

export const suite = <E>(
  name: string,
  layer: Layer.Layer<Store | WebhookEndpoints | WebhookOutbox, E>
): void =>
  withLayer(layer, { excludeTestServices: true })(`WebhookOutbox: ${name}`, (it) => {
    for (const part of PARTS) part(it);
  });
