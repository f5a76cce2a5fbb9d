/** An Analyst without a model that returns what the test sets. */
import type { Failed } from "@winnow/core/domain/source/Failed";
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import {
  Analyst,
  type Analysis,
  type AnalysisRequest,
  type Material,
  type Proposal
} from "@winnow/core/ports/Analyst";

export const FAKE_MODEL = "fake-model";

const NO_REMARKS = { quotes: [], confidence: null, unavailable: [], warnings: [] };

/** The verdict; other fields are optional. */
export type FakeAnswer = Pick<Analysis, "outcome" | "verdictReason" | "extraction"> & Partial<Analysis>;

/** Content with one value, which no schema names. */
const matching: FakeAnswer = { outcome: "ok", verdictReason: null, extraction: { isFound: true } };

const nothingToPropose: Proposal = { name: "nothing", fields: [] };

export const layer = (
  answer: (request: AnalysisRequest) => Effect.Effect<FakeAnswer, Failed> = () => Effect.succeed(matching),
  propose: (material: Material) => Effect.Effect<Proposal, Failed> = () => Effect.succeed(nothingToPropose)
): Layer.Layer<Analyst> =>
  Layer.succeed(
    Analyst,
    Analyst.of({
      model: FAKE_MODEL,
      takes: Effect.succeed(MODALITIES),
      analyse: (request) => Effect.map(answer(request), (answered) => ({ ...NO_REMARKS, ...answered })),
      propose
    })
  );
