/**
 * What a run used of the operator's models, as their servers reported it: for those who pay for them. Prices do not
 * depend on it, and the limit of a run counts by estimate where a server reports nothing (ports/TokenMeter). Tests: ModelUse.test.ts.
 */
import * as Schema from "effect/Schema";
import { Integer } from "../text/Integer.ts";

const Count = Schema.NullOr(Integer);

export const ModelUsage = Schema.Struct({
  inputTokens: Count.annotate({ description: "Tokens read by the language model." }),
  outputTokens: Count.annotate({
    description: "Tokens written by the language model, its thinking included."
  }),
  requests: Count.annotate({
    description: "Requests that the language model and the speech model answered."
  }),
  audioSeconds: Schema.NullOr(Schema.Finite).annotate({
    description: "Seconds of sound that the speech model transcribed."
  }),
  model: Schema.NullOr(Schema.String).annotate({ description: "Name of the language model." })
}).annotate({
  identifier: "ModelUsage",
  description:
    "What the run that made this result used of the server's models, as they reported it; null for what they did not report."
});
export type ModelUsage = typeof ModelUsage.Type;

/** Of one answered request, or of all so far. */
export type ReportedUsage = Omit<ModelUsage, "model">;
