// @module-tag long
/** What is asked of each kind of server, against a server that refuses what that kind refuses. */
import { assert, describe, it } from "@effect/vitest";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import { LLM_PRESETS, type LlmPreset, presetOf } from "../../src/model/client/ServerPresets.ts";
import { LlmClient } from "../../src/model/client/LlmClient.ts";
import { analystAt, analystOn, RECIPE, requestOf } from "./Analysing.ts";
import { keepWorkers } from "./KeptWorkers.ts";
import { completed, type Odd, oddServer, refusing } from "./OddServer.ts";

keepWorkers();

const TEST_MS = 60_000;

const schemaOf = (name: string): JsonObject => ({
  type: "object",
  properties: { title: { type: "string" }, [name]: { type: "number" } },
  required: ["title"],
  additionalProperties: false
});

const SCHEMA = schemaOf("price");

const good = completed(
  JSON.stringify({ verdict: "ok", reason: "", confidence: 1, evidence: [], data: { title: "Tomato soup" } })
);

/** The results of one run per schema on the same server, its requests, and the lines of the log. */
const analysed = Effect.fnUntraced(function* (
  preset: LlmPreset,
  odd: Odd,
  schemas: ReadonlyArray<JsonObject> = [SCHEMA]
) {
  const { baseUrl, requests } = yield* oddServer(odd);
  const lines: Array<string> = [];
  const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]);
  const results = yield* Effect.forEach(schemas, (schema) =>
    Effect.result(Analyst.use((analyst) => analyst.analyse(requestOf(RECIPE, schema))))
  ).pipe(Effect.provide(yield* analystAt(baseUrl, "some-model", preset)), Effect.provide(logger));
  return { results: results as ReadonlyArray<any>, requests, lines };
}, Effect.scoped);

const refusal =
  (needless: (body: any) => boolean, message: string, more: object = {}): Odd =>
  (body) =>
    needless(body) ? refusing(400, message, more) : good;

const typeOf = (body: any): string | undefined => body.response_format?.type;
const isStrict = (body: any): boolean => body.response_format?.json_schema?.strict === true;
const roles = (body: any): ReadonlyArray<string> => body.messages.map(({ role }: any) => role);

const UNKNOWN_NAME = `Invalid JSON payload received. Unknown name "additionalProperties" at 'generation_config.response_schema'`;

/** What each kind of server refuses, the calls of the first run, and what is true of the request that succeeds. */
const SERVERS: ReadonlyArray<
  readonly [preset: LlmPreset, name: string, odd: Odd, calls: number, isRight: (body: any) => boolean]
> = [
  [
    "openai",
    "the old token limit, and the temperature of a reasoning model",
    (body) => {
      if (body.max_tokens !== undefined) {
        return refusing(400, "Unsupported parameter: 'max_tokens'.", { param: "max_tokens" });
      }
      return body.temperature === undefined
        ? good
        : refusing(400, "Unsupported value.", { param: "temperature" });
    },
    2,
    (body) => isStrict(body) && body.max_completion_tokens === 8_192
  ],
  [
    "openrouter",
    "the new token limit",
    refusal((body) => body.max_completion_tokens !== undefined, "Unknown parameter: max_completion_tokens."),
    1,
    (body) => isStrict(body) && body.max_tokens === 8_192
  ],
  [
    "vllm",
    "roles that do not alternate, in its flat form of an error",
    (body) =>
      roles(body).includes("system")
        ? {
            status: 400,
            body: {
              object: "error",
              message: "Conversation roles must alternate user/assistant/user/assistant/...",
              type: "BadRequestError",
              code: 400
            }
          }
        : good,
    2,
    (body) => isStrict(body)
  ],
  // It would not refuse the other name but ignore it.
  ["ollama", "nothing", () => good, 1, (body) => body.max_tokens === 8_192 && isStrict(body)],
  [
    "llamacpp",
    "a schema from which it can make no grammar",
    refusal(
      (body) => typeOf(body) === "json_schema",
      "Failed to initialize samplers: failed to parse grammar"
    ),
    3,
    (body) => typeOf(body) === "json_object"
  ],
  [
    "lmstudio",
    "json_object, and schemas by a model that cannot follow them",
    (body) =>
      typeOf(body) === undefined
        ? good
        : { status: 400, body: { error: "'response_format.type' must be 'text'" } },
    3,
    (body) => typeOf(body) === undefined
  ],
  [
    "gemini",
    "a schema, in its list of errors",
    (body) =>
      typeOf(body) === "json_schema"
        ? {
            status: 400,
            body: [{ error: { code: 400, message: UNKNOWN_NAME } }]
          }
        : good,
    3,
    (body) => typeOf(body) === "json_object"
  ],
  [
    "other",
    "any response_format, without a reason",
    refusal((body) => typeOf(body) !== undefined, "Bad request"),
    4,
    (body) => typeOf(body) === undefined
  ]
];

describe("a server of the preset", () => {
  for (const [preset, name, odd, calls, isRight] of SERVERS) {
    it.live(
      `${preset} may refuse ${name}`,
      () =>
        Effect.gen(function* () {
          const { results, requests } = yield* analysed(preset, odd, [SCHEMA, SCHEMA]);
          for (const { success } of results) {
            assert.deepStrictEqual(success?.extraction, { title: "Tomato soup" });
          }
          // What was found out is not tried again.
          assert.lengthOf(requests, calls + 1);
          assert.isTrue(isRight(requests.at(-1)), JSON.stringify(requests.at(-1)));
        }),
      TEST_MS
    );
  }

  it("is tested for every preset", () => {
    assert.deepStrictEqual([...new Set(SERVERS.map(([preset]) => preset))].sort(), [...LLM_PRESETS].sort());
  });

  it.live("that names a parameter is not sent it again until the process ends, which is logged once", () =>
    Effect.gen(function* () {
      const odd = refusal((body) => body.temperature !== undefined, "temperature is not supported");
      const { requests, lines } = yield* analysed("vllm", odd, [schemaOf("a"), schemaOf("b"), schemaOf("c")]);
      assert.deepStrictEqual(
        requests.map(({ temperature }) => temperature),
        [0, undefined, undefined, undefined]
      );
      assert.lengthOf(lines, 1);
      assert.include(lines[0], "rejected a parameter");
    })
  );

  it.live("that rejects one schema after it answered another still gets the next one strictly", () =>
    Effect.gen(function* () {
      const odd = refusal(
        (body) => isStrict(body) && JSON.stringify(body.response_format).includes('"bad"'),
        "Invalid schema for response_format 'answer'",
        { param: "response_format" }
      );
      const schemas = [schemaOf("good"), schemaOf("bad"), schemaOf("bad"), schemaOf("better")];
      const { requests, lines, results } = yield* analysed("openai", odd, schemas);
      assert.isTrue(results.every(({ success }) => success !== undefined));
      assert.deepStrictEqual(requests.map(isStrict), [true, true, false, true, false, true]);
      assert.lengthOf(lines, 0);
    })
  );

  it.live(
    "that allows shorter answers gets these from then on; another number is not taken for a limit",
    () =>
      Effect.gen(function* () {
        const limited = refusal(
          (body) => body.max_completion_tokens > 4_096,
          "max_completion_tokens is too large: 8192. This model supports at most 4096 completion tokens."
        );
        const short = yield* analysed("openai", limited, [schemaOf("a"), schemaOf("b")]);
        assert.deepStrictEqual(
          short.requests.map((body) => body.max_completion_tokens),
          [8_192, 4_096, 4_096]
        );
        const unknown = refusal(
          (body) => body.max_completion_tokens !== undefined,
          "Unknown parameter max_completion_tokens (request 1234)"
        );
        const named = yield* analysed("openai", unknown, [schemaOf("a"), schemaOf("b")]);
        assert.deepStrictEqual(
          named.requests.map((body) => body.max_tokens),
          [undefined, undefined, 8_192, 8_192]
        );
      })
  );

  it.live("that gives no reason fails the run at once, unless it is an unknown server", () =>
    Effect.gen(function* () {
      const odd = refusal((body) => typeOf(body) !== undefined, "Bad request");
      const { results, requests } = yield* analysed("openai", odd);
      assert.strictEqual(results[0]?.failure?.reason, "model_error");
      assert.lengthOf(requests, 1);
    })
  );
});

describe("the preset of an address", () => {
  it.each([
    [null, "openai"],
    ["https://api.openai.com/v1", "openai"],
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["https://generativelanguage.googleapis.com/v1beta/openai", "gemini"],
    ["https://api.openai.com.example/v1", "other"],
    ["http://127.0.0.1:11434/v1", "other"]
  ] as const)("%s is %s", (baseUrl, preset) => {
    assert.strictEqual(presetOf(baseUrl), preset);
  });
});

describe("the inputs a model supports", () => {
  const seeing = () =>
    LlmClient.use((client) =>
      client.complete({
        messages: [
          {
            role: "user",
            content: [{ type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } }]
          }
        ],
        schema: null,
        strongest: "prompt_only",
        maxOutputTokens: 100
      })
    );

  it.live("still include images if one picture is refused after others were accepted", () =>
    Effect.gen(function* () {
      const { server, layer } = yield* analystOn("fake-ok");
      yield* Effect.gen(function* () {
        const { takes } = yield* Analyst;
        yield* seeing();
        server.script("refuse_images");
        assert.strictEqual((yield* Effect.flip(seeing()))._tag, "ModalityRefused");
        assert.include(yield* takes, "video");
      }).pipe(Effect.provide(layer));
    }).pipe(Effect.scoped)
  );

  it.live("are reported as far as known, so that unsupported ones are not fetched", () =>
    Effect.gen(function* () {
      const { layer } = yield* analystOn("fake-refuse-images");
      yield* Effect.gen(function* () {
        const { takes } = yield* Analyst;
        assert.deepStrictEqual(yield* takes, ["transcript", "comments", "audio", "video"]);
        yield* Effect.flip(seeing());
        assert.deepStrictEqual(yield* takes, ["transcript", "comments", "audio"]);
      }).pipe(Effect.provide(layer));
    }).pipe(Effect.scoped)
  );
});
