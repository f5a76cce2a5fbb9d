/**
 * An Analyst without a model: it answers what the test says.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Analyst, type Analysis, type AnalysisFailed, type AnalysisRequest } from "../ports/Analyst.ts";

export const FAKE_MODEL = "fake-model";

/** Content that matches any schema without required members. */
const empty: Analysis = { outcome: "ok", verdictReason: null, extraction: {} };

export const layer = (
  answer: (request: AnalysisRequest) => Effect.Effect<Analysis, AnalysisFailed> = () => Effect.succeed(empty)
): Layer.Layer<Analyst> => Layer.succeed(Analyst, Analyst.of({ model: FAKE_MODEL, analyse: answer }));
