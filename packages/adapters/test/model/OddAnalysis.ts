/** Analyses of a page of soup by a server that answers anything. */
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import type { TokenMeter } from "@winnow/core/ports/TokenMeter";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import { answerSchemaOf, readAnswer } from "../../src/model/answer/AnswerParsing.ts";
import { askUntilRead } from "../../src/model/askModel.ts";
import * as OpenAiClient from "../../src/model/provider/OpenAiClient.ts";
import type { LlmPreset } from "../../src/model-server/ServerPresets.ts";
import { analystAt, RECIPE, requestOf } from "./Analysing.ts";
import { type Odd, oddServer } from "./OddServer.ts";

export const SOUP_SCHEMA: JsonObject = {
  type: "object",
  properties: { title: { type: "string" }, servings: { type: "integer" } },
  required: ["title"],
  additionalProperties: false
};

export const answerOf = (data: unknown): string =>
  JSON.stringify({ verdict: "ok", reason: "", confidence: 1, evidence: [], data });

export const ANSWER = answerOf({ title: "Tomato soup", servings: null });

interface Asked {
  readonly preset?: LlmPreset;
  readonly models?: ReadonlyArray<object>;
  readonly runs?: number;
  /** Runs at the same time; 1 by default. */
  readonly concurrency?: number;
  readonly schema?: JsonObject;
}

/** The lines of a log, and the layer that writes them. */
const logged = () => {
  const lines: Array<string> = [];
  return { lines, logger: Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]) };
};

/** Analyses on one server, with its requests and the warnings of the log. */
export const analysedBy = Effect.fnUntraced(function* (
  odd: Odd,
  {
    text = RECIPE,
    preset,
    models,
    runs = 1,
    concurrency = 1,
    schema = SOUP_SCHEMA
  }: Asked & { readonly text?: string } = {}
) {
  const { baseUrl, requests } = yield* oddServer(odd, models);
  const { lines, logger } = logged();
  const results = yield* Effect.forEach(
    Array.from({ length: runs }),
    () => Effect.result(Analyst.use((analyst) => analyst.analyse(requestOf(text, schema)))),
    { concurrency }
  ).pipe(Effect.provide(yield* analystAt(baseUrl, "some-model", preset)), Effect.provide(logger));
  return { result: results.at(-1) as any, requests, lines };
}, Effect.scoped);

/**
 * One question for each schema to one server, whose answers are read in this process: for what the server does, not
 * for what is made of its answers.
 */
export const askedOf = Effect.fnUntraced(function* (
  odd: Odd,
  {
    preset,
    models,
    runs = 1,
    schemas = Array.from({ length: runs }, () => SOUP_SCHEMA),
    ...over
  }: Asked & {
    readonly schemas?: ReadonlyArray<JsonObject>;
    readonly meter?: TokenMeter;
  } = {}
) {
  const { baseUrl, requests } = yield* oddServer(odd, models);
  const { lines, logger } = logged();
  const client = OpenAiClient.layer({
    apiKey: null,
    baseUrl,
    model: "some-model",
    preset,
    transcriptionModel: "ear"
  });
  const messages = [
    { role: "system" as const, content: "Answer in JSON." },
    { role: "user" as const, content: "Which soup is it?" },
    { role: "user" as const, content: RECIPE }
  ];
  const results = yield* Effect.forEach(schemas, (schema) => {
    const requested = { schema: JSON.stringify(schema), isGuided: false };
    return Effect.result(
      askUntilRead(messages, answerSchemaOf(requested), (written) =>
        Effect.succeed(readAnswer(requested, written))
      )
    );
  }).pipe(
    Effect.provideService(CurrentRun, runFor("acc_test", over)),
    Effect.provide(client),
    Effect.provide(logger)
  );
  return { results: results as ReadonlyArray<any>, result: results.at(-1) as any, requests, lines };
}, Effect.scoped);
