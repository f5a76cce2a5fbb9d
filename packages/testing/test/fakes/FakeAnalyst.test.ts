import * as Effect from "effect/Effect";
import { Failed } from "@winnow/core/domain/source/Failed";
import * as FakeAnalyst from "../../src/fakes/FakeAnalyst.ts";
import { ANY_CONTENT, suite } from "../../src/suites/AnalystSuite.ts";

const failed = Effect.fail(new Failed({ reason: "model_unavailable", message: "The model is away." }));

const dish = { path: "dish", type: "string", description: "", required: true, isArray: false } as const;

suite(
  "without a model",
  FakeAnalyst.layer(undefined, () => Effect.succeed({ name: "Recipe", fields: [dish] })),
  {
    request: ANY_CONTENT,
    unmatched: FakeAnalyst.layer(() =>
      Effect.succeed({ outcome: "no_match", verdictReason: "It is no recipe.", extraction: null })
    ),
    broken: FakeAnalyst.layer(() => failed),
    silent: (onAsked) => FakeAnalyst.layer(() => Effect.andThen(Effect.sync(onAsked), Effect.never)),
    countsTokens: false
  }
);
