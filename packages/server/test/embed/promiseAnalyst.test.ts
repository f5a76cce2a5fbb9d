import { Failed } from "@winnow/core/domain/source/Failed";
import { type Analysis } from "@winnow/core/ports/Analyst";
import { ANY_CONTENT, suite } from "@winnow/testing/suites/AnalystSuite";
import { portLayer, type PromiseAnalyst } from "../../src/embed/promisePorts.ts";

const NO_REMARKS = { quotes: [], confidence: null, unavailable: [], warnings: [] };

const dish = { path: "dish", type: "string", description: "", required: true, isArray: false } as const;

const analystWith = (analyse: PromiseAnalyst["analyse"]) =>
  portLayer({
    analyst: {
      model: "cook",
      analyse,
      propose: async () => ({ name: "Recipe", fields: [dish] })
    }
  });

const found: Analysis = { ...NO_REMARKS, outcome: "ok", verdictReason: null, extraction: { dish: "soup" } };
const missed: Analysis = {
  ...NO_REMARKS,
  outcome: "no_match",
  verdictReason: "It is no recipe.",
  extraction: null
};

suite(
  "an object of promises",
  analystWith(async () => found),
  {
    request: ANY_CONTENT,
    unmatched: analystWith(async () => missed),
    broken: analystWith(async () => {
      throw new Failed({ reason: "model_unavailable", message: "The model is away." });
    }),
    silent: (onAsked) =>
      analystWith((_request, signal) => {
        onAsked();
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new Error("aborted")))
        );
      }),
    countsTokens: false
  }
);
