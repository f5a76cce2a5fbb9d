/** A look-up that failed on every attempt, so that it is unknown whether the source has the part. */
import * as Schema from "effect/Schema";
import { type Failure, FailureReason } from "./Failure.ts";
import { Modality } from "./Modality.ts";

export const FailedLookup = Schema.Struct({
  modality: Modality,
  /** A reason that may not recur. */
  reason: FailureReason,
  /** For people; contains no internal details. */
  message: Schema.String,
  /** When a retry can help; absent if unknown. */
  retryAfterSeconds: Schema.optionalKey(Schema.Int)
});
export type FailedLookup = typeof FailedLookup.Type;

/** Must not claim that the part does not exist. */
export const lookupSentence = ({ modality, message }: FailedLookup): string =>
  `The ${modality} could not be looked up, so it is unknown whether there ` +
  `${modality === "comments" ? "are any" : "is one"}. ${message}`;

/** The failure of a run because of its failed look-ups; null if there are none. */
export const lookupFailure = (failed: ReadonlyArray<FailedLookup>): Failure | null => {
  const [first] = failed;
  if (first === undefined) return null;
  const { reason, retryAfterSeconds } = first;
  return {
    reason,
    message: failed.map(lookupSentence).join(" "),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  };
};
