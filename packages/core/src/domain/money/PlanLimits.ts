/** The numeric limits of an account, and their ranges. */
import * as Schema from "effect/Schema";
import * as Struct from "effect/Struct";
import { MAX_DURATION_SECONDS } from "../source/SourceFacts.ts";
import { WEBHOOK_ENDPOINTS_MAX } from "../webhook/WebhookEndpoint.ts";

/** Extractions of an account that may be `pending` or `running` at once; further ones wait as `queued`. */
export const SLOTS_MAX = 2;

/** Extractions of an account that may wait, unless the operator sets another number. */
export const WAITING_MAX_DEFAULT = 1_000;

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

/** Of the plan `default`, unless the operator sets others. */
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

/** Requests of one kind in a minute. */
export type RequestLimit = "submitsPerMinute" | "probesPerMinute" | "readsPerMinute" | "othersPerMinute";

const between = (least: number, most: number) =>
  Schema.Int.check(
    Schema.makeFilter((value: number) =>
      value >= least && value <= most ? undefined : `must be a whole number from ${least} to ${most}`
    )
  );

/** The range of each limit that a server supports. */
const Limit = Schema.Struct({
  runningMax: between(1, 1_000),
  waitingMax: between(0, 1_000_000),
  submitsPerMinute: between(0, 1_000_000),
  probesPerMinute: between(0, 1_000_000),
  readsPerMinute: between(0, 1_000_000),
  othersPerMinute: between(0, 1_000_000),
  maxDurationSec: between(1, 86_400),
  retentionDays: between(1, 3_650),
  webhookEndpointsMax: between(0, 1_000)
});

/** Some of the limits, as an operator writes them. */
export const LimitsGiven = Limit.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "LimitsGiven"
});
export type LimitsGiven = typeof LimitsGiven.Type;

/** Limit overrides of an account; null removes one. */
export const LimitsChange = Limit.mapFields(Struct.map(Schema.NullOr))
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "LimitsChange" });
export type LimitsChange = typeof LimitsChange.Type;
