/** Analyses of a page of soup by a server that answers anything. */
import { Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import type { LlmPreset } from "../../src/model/client/ServerPresets.ts";
import { analystAt, RECIPE, requestOf } from "./Analysing.ts";
import { type Odd, oddServer } from "./OddServer.ts";

export const SOUP_SCHEMA = {
  type: "object",
  properties: { title: { type: "string" }, servings: { type: "integer" } },
  required: ["title"],
  additionalProperties: false
};

export const answerOf = (data: unknown): string =>
  JSON.stringify({ verdict: "ok", reason: "", confidence: 1, evidence: [], data });

export const ANSWER = answerOf({ title: "Tomato soup", servings: null });

interface Asked {
  readonly text?: string;
  readonly preset?: LlmPreset;
  readonly models?: ReadonlyArray<object>;
  readonly runs?: number;
}

/** Analyses on one server, with its requests and the warnings of the log. */
export const analysedBy = Effect.fnUntraced(function* (
  odd: Odd,
  { text = RECIPE, preset, models, runs = 1 }: Asked = {}
) {
  const { baseUrl, requests } = yield* oddServer(odd, models);
  const lines: Array<string> = [];
  const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]);
  const results = yield* Effect.forEach(Array.from({ length: runs }), () =>
    Effect.result(Analyst.use((analyst) => analyst.analyse(requestOf(text, SOUP_SCHEMA))))
  ).pipe(Effect.provide(yield* analystAt(baseUrl, "some-model", preset)), Effect.provide(logger));
  return { result: results.at(-1) as any, requests, lines };
}, Effect.scoped);
