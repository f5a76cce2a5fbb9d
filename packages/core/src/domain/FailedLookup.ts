/**
 * A part that the source was asked for three times in vain: whether it has it, nobody knows (contract 11).
 */
import * as Schema from "effect/Schema";
import { type Failure, FailureReason } from "./Failure.ts";
import { Modality } from "./Modality.ts";

export const FailedLookup = Schema.Struct({
  modality: Modality,
  /** One that a later run may not meet. */
  reason: FailureReason,
  /** For people; holds nothing internal. */
  message: Schema.String,
  /** When asking again can help; absent where nobody knows. */
  retryAfterSeconds: Schema.optionalKey(Schema.Int)
});
export type FailedLookup = typeof FailedLookup.Type;

/** Never a sentence that says that there is none. */
export const lookupSentence = ({ modality, message }: FailedLookup): string =>
  `The ${modality} could not be looked up, so it is unknown whether there ` +
  `${modality === "comments" ? "are any" : "is one"}. ${message}`;

/** What a run fails with when look-ups are to blame; null without any. */
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
