/**
 * Events of a run as a stream of server-sent events (WHATWG HTML, "Server-sent events").
 */
import { RunStep } from "@winnow/core/domain/run/RunProgress";
import { Modality } from "@winnow/core/domain/source/Modality";
import { ExtractionPhase } from "@winnow/core/domain/run/Transition";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as Schema from "effect/Schema";
import { described } from "../../http/openapi/described.ts";
import { CompleteResult, FailedResult } from "./ResultWire.ts";

export const ExtractionProgress = described(
  {
    phase: ExtractionPhase,
    step: Schema.NullOr(RunStep),
    percent: Schema.NullOr(Schema.Finite),
    bytes: Schema.Int,
    rung: Schema.NullOr(Schema.Array(Modality))
  },
  {
    identifier: "ExtractionProgress",
    description: "Progress of an extraction: the data of a `progress` event.",
    fields: {
      phase: "Phase of the extraction: `queued` or `processing`.",
      step: "Current step of the run; null while it waits.",
      percent: "Progress of the step, 0 to 100; null if unknown.",
      bytes: "Bytes fetched so far.",
      rung: "With `auto`: the inputs of the current step. Null otherwise."
    },
    examples: [{ phase: "processing", step: "fetching", percent: 42.5, bytes: 1_048_576, rung: null }]
  }
);
export type ExtractionProgress = typeof ExtractionProgress.Type;

/** `id` increases; `data` is JSON. */
export const EventStream = HttpApiSchema.StreamSse({
  events: Schema.Union([
    Schema.Struct({
      id: Schema.String,
      event: Schema.Literal("progress"),
      // In a union, because otherwise the schema of the encoded string would take the component's name.
      data: Schema.fromJsonString(Schema.Union([ExtractionProgress]))
    }),
    Schema.Struct({
      id: Schema.String,
      event: Schema.Literal("result"),
      data: Schema.fromJsonString(Schema.Union([CompleteResult, FailedResult]))
    })
  ])
});
