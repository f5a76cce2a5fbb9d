/** Prints rules of the service that programs look up before they ask: limits, and which failures may pass. */
import { BATCH_ITEMS_MAX, LISTED_ITEMS_MAX } from "@winnow/core/domain/run/Batch";
import { REMEDIES } from "@winnow/core/domain/source/Failed";
import { NAME_CHARS_MAX } from "@winnow/core/domain/text/NameText";

const retryable = Object.entries(REMEDIES).flatMap(([reason, remedy]) => (remedy.retryable ? [reason] : []));

console.log(`// @generated from packages/core/src/domain by packages/server/scripts/clientRules.ts: do not edit.

/** Items of a batch. */
export const BATCH_ITEMS_MAX = ${BATCH_ITEMS_MAX};

/** Characters of the name of a batch. */
export const BATCH_NAME_CHARS_MAX = ${NAME_CHARS_MAX};

/** Items of a batch that one channel or playlist may become. */
export const LISTED_ITEMS_MAX = ${LISTED_ITEMS_MAX};

/** Reasons of failed runs after which the same submit may succeed later. */
export const RETRYABLE_REASONS: ReadonlySet<string> = new Set(${JSON.stringify(retryable)});`);
