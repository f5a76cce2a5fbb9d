/**
 * What every implementation of Analyst promises, on content and a schema that the caller has for its model.
 * Run by FakeAnalyst.test.ts, OpenAiAnalyst.suite.test.ts.
 */
import { assert, layer as withLayer, type Vitest } from "@effect/vitest";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import { Analyst, type AnalysisRequest } from "@winnow/core/ports/Analyst";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { makeTokenMeter } from "@winnow/core/ports/TokenMeter";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Layer from "effect/Layer";
import { sampleFacts } from "../samples/samples.ts";

/** A real model on a busy machine. */
const TEST_MS = 120_000;

/** For implementations that answer the same to any content. */
export const ANY_CONTENT: AnalysisRequest = {
  facts: sampleFacts(),
  prompt: null,
  inputs: [],
  texts: [],
  spokenLanguage: null,
  media: [],
  schema: { type: "object" }
};

export interface AnalystCases<E> {
  /** The model finds an object of the schema in it. */
  readonly request: AnalysisRequest;
  /** The same implementation with a model to which the content is about something else. */
  readonly unmatched: Layer.Layer<Analyst, E>;
  /** The same with a model that cannot answer. */
  readonly broken: Layer.Layer<Analyst, E>;
  /** The same with a model that does not answer at all; it calls `onAsked` when it is asked. */
  readonly silent: (onAsked: () => void) => Layer.Layer<Analyst, E>;
  /** Whether calls of the model have tokens. */
  readonly countsTokens: boolean;
}

const analyse = (request: AnalysisRequest, meter = makeTokenMeter(Number.POSITIVE_INFINITY)) =>
  Analyst.use((analyst) => analyst.analyse(request)).pipe(
    Effect.provideService(CurrentRun, runFor("acc_test", { meter }))
  );

const answers = <E>(it: Vitest.MethodsNonLive<Analyst>, cases: AnalystCases<E>): void => {
  const { request, countsTokens } = cases;

  it.effect("it names its model, and takes inputs of the published ones", () =>
    Effect.gen(function* () {
      const { model, takes } = yield* Analyst;
      assert.match(model ?? "", /\S/u);
      assert.includeMembers([...MODALITIES], [...(yield* takes)]);
    })
  );

  it.effect(
    "content that matches becomes an object, without a reason, and quotes name its values",
    () =>
      Effect.gen(function* () {
        const analysis = yield* analyse(request);
        assert.deepInclude(analysis, { outcome: "ok", verdictReason: null });
        assert.isTrue(isJsonObject(analysis.extraction));
        for (const { pointer } of analysis.quotes) assert.match(pointer, /^(?:\/[^/]*)*$/u);
        for (const input of analysis.unavailable) assert.include(request.inputs, input);
        const confidence = analysis.confidence ?? 0;
        assert.isTrue(confidence >= 0 && confidence <= 1, `confidence ${confidence}`);
      }),
    TEST_MS
  );

  it.effect(
    "a proposal has a name and fields with names",
    () =>
      Effect.gen(function* () {
        const { name, fields } = yield* Analyst.use((analyst) => analyst.propose(request)).pipe(
          Effect.provideService(CurrentRun, runFor("acc_test"))
        );
        assert.match(name, /\S/u);
        assert.isNotEmpty(fields);
        for (const { path } of fields) assert.match(path, /\S/u);
      }),
    TEST_MS
  );

  it.effect.skipIf(!countsTokens)(
    "tokens are counted in the meter of the run, whose limit ends the analysis as model_error",
    () =>
      Effect.gen(function* () {
        const meter = makeTokenMeter(1_000_000);
        yield* analyse(request, meter);
        assert.isAbove(yield* meter.used, 0);
        const none = yield* Effect.flip(analyse(request, makeTokenMeter(1)));
        assert.strictEqual(none.reason, "model_error");
      }),
    TEST_MS
  );
};

export const suite = <E, E2>(name: string, layer: Layer.Layer<Analyst, E>, cases: AnalystCases<E2>): void => {
  const { request, unmatched, broken, silent } = cases;
  withLayer(layer, { excludeTestServices: true })(`Analyst: ${name}`, (it) => answers(it, cases));
  withLayer(unmatched, { excludeTestServices: true })(`Analyst: ${name}, unmatched`, (it) => {
    it.effect(
      "content that does not match becomes no object, with one sentence that says why",
      () =>
        Effect.gen(function* () {
          const analysis = yield* analyse(request);
          assert.include(["no_match", "uncertain"], analysis.outcome);
          assert.isNull(analysis.extraction);
          assert.match(analysis.verdictReason ?? "", /^\S.*\S$/u);
        }),
      TEST_MS
    );
  });
  withLayer(broken, { excludeTestServices: true })(`Analyst: ${name}, broken`, (it) => {
    it.effect(
      "a model that cannot answer is a failure with one sentence, never a verdict",
      () =>
        Effect.gen(function* () {
          const failed = yield* Effect.flip(analyse(request));
          assert.match(failed.reason, /^(?:model_|invalid_model_output|timeout)/u);
          assert.match(failed.message, /^[A-Z].*\.$/u);
          assert.notMatch(failed.message, /https?:/u);
        }),
      TEST_MS
    );
  });
  const asked = Deferred.makeUnsafe<void>();
  const unanswering = silent(() => Deferred.doneUnsafe(asked, Effect.void));
  withLayer(unanswering, { excludeTestServices: true })(`Analyst: ${name}, silent`, (it) => {
    it.effect(
      "interruption ends it",
      () =>
        Effect.gen(function* () {
          const running = yield* Effect.forkChild(analyse(request));
          yield* Deferred.await(asked);
          yield* Fiber.interrupt(running);
        }),
      TEST_MS
    );
  });
};
