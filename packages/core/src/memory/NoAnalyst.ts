/** For servers without a language model: AI runs are refused at submit, so this analyst is never called. Tests: Extractions.test.ts. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Failed } from "../domain/source/Failed.ts";
import { Analyst } from "../ports/Analyst.ts";

const notConfigured = Effect.fail(
  new Failed({ reason: "model_error", message: "No language model is configured." })
);

export const layer: Layer.Layer<Analyst> = Layer.succeed(
  Analyst,
  Analyst.of({
    model: null,
    takes: Effect.succeed([]),
    analyse: () => notConfigured,
    propose: () => notConfigured
  })
);
