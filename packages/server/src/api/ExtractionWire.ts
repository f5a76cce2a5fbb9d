/**
 * An extraction as lists and reads show it (specification, "Extraction").
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/Credits";
import { Outcome } from "@winnow/core/domain/Extraction";
import { ExtractionPhase, ExtractionStatus } from "@winnow/core/domain/Transition";
import { DateTime, described } from "./described.ts";

const fields = {
  id: Schema.String,
  url: Schema.String,
  status: ExtractionStatus,
  createdAt: DateTime,
  completedAt: Schema.NullOr(DateTime),
  creditsDebited: Credits,
  creditsRefunded: Credits,
  cached: Schema.Boolean,
  outcome: Schema.NullOr(Outcome),
  verdictReason: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String)
};

const texts = {
  id: "Use it for polling, results and files.",
  url: "As submitted.",
  status: "`complete` and `failed` are final.",
  createdAt: "When it was submitted.",
  completedAt: "When it completed or failed; null until then.",
  creditsDebited: "Debited up-front and never changed; 0 when served from a recent identical extraction.",
  creditsRefunded: "Given back at the end: all of the debit on failure.",
  cached: "The result was reused from a recent identical extraction.",
  outcome: "Verdict of an AI run; null on download-only runs and until the end.",
  verdictReason: "One sentence, only with `no_match` and `uncertain`.",
  error: "Only with status `failed`: the reason, for people."
};

const example = {
  id: "ext_01hzx3",
  url: "https://video.example/watch/42",
  status: "complete",
  createdAt: "2026-11-21T08:00:00.000Z",
  completedAt: "2026-11-21T08:00:41.000Z",
  creditsDebited: 230,
  creditsRefunded: 20,
  cached: false,
  outcome: null
};

export const ExtractionItem = described(fields, {
  identifier: "Extraction",
  description: "An extraction of the account.",
  fields: texts,
  examples: [example]
});
export type ExtractionItem = typeof ExtractionItem.Type;

export const ExtractionDetail = described(
  { ...fields, phase: ExtractionPhase },
  {
    identifier: "ExtractionDetail",
    description: "An extraction and its phase.",
    fields: { ...texts, phase: "Coarse progress derived from the status." },
    examples: [{ ...example, phase: "done" }]
  }
);
export type ExtractionDetail = typeof ExtractionDetail.Type;

export const ExtractionPage = described(
  {
    data: Schema.Array(ExtractionItem),
    has_more: Schema.Boolean,
    next_cursor: Schema.NullOr(Schema.String)
  },
  {
    identifier: "ExtractionPage",
    description: "One page of extractions.",
    fields: {
      data: "Newest first.",
      has_more: "Whether another page follows.",
      next_cursor: "Opaque: pass it as `cursor`. Null on the last page."
    },
    examples: [{ data: [example], has_more: false, next_cursor: null }]
  }
);
export type ExtractionPage = typeof ExtractionPage.Type;
