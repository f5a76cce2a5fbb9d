/**
 * What an account may do, as numbers (specification, "Limits" and "Rate limits"; contract 11, "Plans").
 */
import * as Schema from "effect/Schema";
import { SLOTS_MAX, WAITING_MAX_DEFAULT } from "./Account.ts";
import { MAX_DURATION_SECONDS } from "./SourceFacts.ts";
import { WEBHOOK_ENDPOINTS_MAX } from "./WebhookEndpoint.ts";

const whole = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const PlanLimits = Schema.Struct({
  runningMax: whole,
  waitingMax: whole,
  submitsPerMinute: whole,
  probesPerMinute: whole,
  readsPerMinute: whole,
  othersPerMinute: whole,
  maxDurationSec: whole,
  retentionDays: whole,
  webhookEndpointsMax: whole
}).annotate({ identifier: "PlanLimits" });
export type PlanLimits = typeof PlanLimits.Type;

/** The plan of every account that was given none. */
export const DEFAULT_PLAN = "default";

/** The specification's numbers. */
export const DEFAULT_LIMITS: PlanLimits = {
  runningMax: SLOTS_MAX,
  waitingMax: WAITING_MAX_DEFAULT,
  submitsPerMinute: 6,
  probesPerMinute: 10,
  readsPerMinute: 60,
  othersPerMinute: 60,
  maxDurationSec: MAX_DURATION_SECONDS,
  retentionDays: 30,
  webhookEndpointsMax: WEBHOOK_ENDPOINTS_MAX
};
