// @generated from packages/core/src/domain by packages/server/scripts/clientRules.ts: do not edit.

/** Items of a batch. */
export const BATCH_ITEMS_MAX = 1000;

/** Characters of the name of a batch. */
export const BATCH_NAME_CHARS_MAX = 200;

/** Items of a batch that one channel or playlist may become. */
export const LISTED_ITEMS_MAX = 200;

/** Reasons of failed runs after which the same submit may succeed later. */
export const RETRYABLE_REASONS: ReadonlySet<string> = new Set(["live","bot_blocked","rate_limited","timeout","unreachable","model_error","invalid_model_output","speech_timeout","speech_unavailable","expired","internal"]);
