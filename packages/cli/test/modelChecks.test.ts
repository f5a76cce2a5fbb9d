// @module-tag long
/** `winnow check` asks both model servers, which misbehave here as real ones do. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as Result from "effect/Result";
import { findPrograms, reportPackages } from "@winnow/server/adapters/programs";
import { checkModels } from "../src/doctor.ts";
import { readSettings } from "@winnow/server/settings/Config";

const TEST_MS = 60_000;

/** A server that gives every request the same answer. */
const answering = (answer: (response: ServerResponse, path: string) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        request.resume().on("end", () => answer(response, request.url ?? ""));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
    }),
    ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  );

const json =
  (status: number, body: object) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const STAND_IN = { WINNOW_LLM_BASE_URL: "http://127.0.0.1:9/v1", WINNOW_LLM_MODEL: "stand-in" };

const checked = (url: string, more: Record<string, string> = {}) => {
  const env = {
    WINNOW_LLM_BASE_URL: url,
    WINNOW_LLM_MODEL: "fake-ok",
    WINNOW_SPEECH_MODEL: "fake-ok",
    WINNOW_SPEECH_BASE_URL: url,
    ...more
  };
  return checkModels(Result.getOrThrow(readSettings(env))).pipe(
    Effect.provide(Logger.layer([])),
    Effect.map((findings) => Object.fromEntries(findings.map((finding) => [finding.name, finding])))
  );
};

/** How both servers answer, and what the report says of the language model and of the speech model. */
const FAULTS: ReadonlyArray<
  readonly [name: string, answer: (response: ServerResponse) => void, llm: RegExp, speech: RegExp]
> = [
  [
    "a wrong key",
    json(401, { error: { message: "Incorrect API key provided.", code: "invalid_api_key" } }),
    /denied access.*OPENAI_API_KEY/u,
    /denied access.*WINNOW_SPEECH_API_KEY/u
  ],
  [
    "Gemini's wrong key",
    json(400, { error: { message: "API key not valid. Please pass a valid API key." } }),
    /denied access.*OPENAI_API_KEY/u,
    /denied access.*WINNOW_SPEECH_API_KEY/u
  ],
  [
    "a missing model",
    json(404, {
      error: { message: "model 'fake-ok' not found, try pulling it first", code: "model_not_found" }
    }),
    /not available.*WINNOW_LLM_MODEL/u,
    /not available.*WINNOW_SPEECH_MODEL/u
  ],
  [
    "an address that is none of its endpoints",
    (response) => void response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>"),
    /not available.*WINNOW_LLM_BASE_URL with its \/v1/u,
    /no transcriptions at its address.*WINNOW_SPEECH_BASE_URL with its \/v1/u
  ],
  [
    "an error with status 200",
    json(200, { error: "failed to process audio" }),
    /error inside a response of status 200.*log of that server/u,
    /did not answer with a transcription.*log/u
  ]
];

describe("winnow check", () => {
  it.live("has an answer of both, and says how long it took", () =>
    Effect.gen(function* () {
      const { baseUrl, requests } = yield* fakeOpenAi();
      const key = "sk-of-the-language-model";
      const findings = yield* checked(baseUrl, { OPENAI_API_KEY: key });
      assert.match(
        findings["language model"]?.detail ?? "",
        /^fake-ok, preset other, answered in \d+\.\d s$/u
      );
      assert.match(findings["speech model"]?.detail ?? "", /^fake-ok, answered in \d+\.\d s$/u);
      assert.deepStrictEqual(
        Object.values(findings).map(({ state }) => state),
        ["ok", "ok"]
      );
      assert.deepStrictEqual(
        requests.map(({ path }) => path),
        ["/v1/chat/completions", "/v1/audio/transcriptions"]
      );
      // A key goes to its own server only, and the speech model has another one.
      const keys = requests.map(({ headers }) => headers["authorization"]);
      assert.strictEqual(keys[0], `Bearer ${key}`);
      assert.notInclude(String(keys[1]), key);
      assert.deepInclude(requests[1]?.body["file"], { filename: "check.mp3" });
    }).pipe(Effect.scoped)
  );

  for (const [name, answer, llm, speech] of FAULTS) {
    it.live(
      `names ${name}`,
      () =>
        Effect.gen(function* () {
          const findings = yield* checked((yield* answering(answer)).url);
          for (const [which, expected] of [
            ["language model", llm],
            ["speech model", speech]
          ] as const) {
            const { state, detail, remedy } = findings[which] ?? assert.fail(which);
            assert.strictEqual(state, "missing");
            assert.match(`${detail} ${remedy}`, expected);
          }
        }).pipe(Effect.scoped),
      TEST_MS
    );
  }

  it.live(
    "names servers that cannot be reached, or are silent",
    () =>
      Effect.gen(function* () {
        const away = yield* checked("http://127.0.0.1:1/v1");
        assert.match(away["language model"]?.detail ?? "", /cannot be reached/u);
        assert.match(away["speech model"]?.detail ?? "", /cannot be reached/u);
        const { url } = yield* answering(() => {});
        const silent = yield* checked(url, { WINNOW_LLM_TIMEOUT_SECONDS: "1", WINNOW_SPEECH_MODEL: "" });
        assert.match(silent["language model"]?.detail ?? "", /took too long/u);
        assert.match(silent["language model"]?.remedy ?? "", /WINNOW_LLM_TIMEOUT_SECONDS/u);
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live("warns of a context that is smaller than configured", () =>
    Effect.gen(function* () {
      const message = { role: "assistant", content: "yes" };
      const { url } = yield* answering((response, path) =>
        path.endsWith("/models")
          ? json(200, { object: "list", data: [{ id: "fake-ok", meta: { n_ctx: 8_192 } }] })(response)
          : json(200, { choices: [{ message, finish_reason: "stop" }] })(response)
      );
      const { context } = yield* checked(url, { WINNOW_SPEECH_MODEL: "" });
      assert.strictEqual(context?.state, "warning");
      assert.match(context?.remedy ?? "", /WINNOW_LLM_CONTEXT_TOKENS=8192/u);
    }).pipe(Effect.scoped)
  );

  it.live("looks for a speech model on this machine, and says where to get one", () =>
    Effect.gen(function* () {
      const models = mkdtempSync(join(tmpdir(), "winnow-check-"));
      const env = { WINNOW_SPEECH_MODEL: "local:whisper-base", WINNOW_MODELS_DIR: models };
      const settings = Result.getOrThrow(readSettings(env));
      const found = (yield* findPrograms(settings)).find(({ name }) => name === "speech model");
      rmSync(models, { recursive: true });
      assert.isTrue(found?.required);
      assert.include(found?.problem ?? "", "whisper-base");
      assert.strictEqual(found?.remedy, "winnow models add whisper-base");
      assert.deepStrictEqual(yield* checkModels(settings), []);
    })
  );

  it("offers the package of local speech models where it is not installed, and requires it for such a model", () => {
    const reported = (env: Readonly<Record<string, string>>) =>
      reportPackages(Result.getOrThrow(readSettings(env)), () => false).find(
        ({ name }) => name === "@winnow/local-speech"
      );
    const offer = {
      problem: "not installed; transcribing with a speech model on this machine needs it",
      remedy: "npm install @winnow/local-speech"
    };
    assert.deepInclude(reported({}), { ...offer, required: false });
    assert.deepInclude(reported({ WINNOW_SPEECH_MODEL: "local" }), { ...offer, required: true });
    assert.deepInclude(reported({ WINNOW_SPEECH_MODEL: "whisper-1", OPENAI_API_KEY: "sk-test" }), {
      ...offer,
      required: false
    });
  });

  it.live("does not pass a stand-in for a language model", () =>
    Effect.map(checkModels(Result.getOrThrow(readSettings(STAND_IN))), ([finding]) => {
      assert.deepInclude(finding, { name: "language model", state: "warning" });
      assert.include(finding?.detail, "a stand-in reads in place of a language model");
    })
  );

  it.live("asks nobody if no model is configured", () =>
    Effect.gen(function* () {
      const settings = Result.getOrThrow(readSettings({}));
      assert.deepStrictEqual(yield* checkModels(settings), []);
    })
  );
});
