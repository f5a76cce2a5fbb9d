/** Auto mode: the order of rungs, their cost, and which answer is returned. */
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { Analyst, type AnalysisRequest } from "../../../src/ports/Analyst.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import type { InspectedFetch } from "../../../src/ports/Downloader.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Layer from "effect/Layer";
import type { PlansGiven } from "../../../src/domain/money/Plan.ts";
import { assertLaws, execute, openAccount, read, runToEnd, submit, VIDEO, world } from "../World.ts";

const SCHEMA = { type: "object", required: ["title", "price"], properties: { title: {}, price: {} } };
const BODY = {
  url: VIDEO,
  schema: SCHEMA,
  inputs: ["transcript", "comments", "audio", "video"],
  auto: true,
  maxSpendCredits: 10_000
};

/** For a video of 100 s: 50 + 10 + 20 + 50, then 20 + 100 more, then 50 + 200 - 100 more. */
const PRICES = { text: 130, audio: 250, video: 400 };

const facts = sampleFacts({
  durationSeconds: 100,
  hasComments: true,
  title: null,
  uploader: null,
  description: "Somebody talks for more than a minute, and nobody knows why."
});

/** Its quality is 0.25 (one of two values grounded) + 0.3 (all filled) + 0.2 * confidence, so 0.55 or more. */
const answer = (confidence: number, title = "content of"): FakeAnalyst.FakeAnswer => ({
  outcome: "ok",
  verdictReason: null,
  extraction: { title, price: 7 },
  confidence
});

const topOf = ({ inputs }: AnalysisRequest): string => inputs.at(-1) ?? "";

/** A model whose answer depends on the most expensive input of the rung. */
const byRung = (answers: Record<string, FakeAnalyst.FakeAnswer | Failed>, asked: Array<string> = []) =>
  FakeAnalyst.layer((request) => {
    asked.push(topOf(request));
    const given = answers[topOf(request)];
    if (given === undefined) return Effect.die(new Error(`asked with ${topOf(request)}`));
    return given instanceof Failed ? Effect.fail(given) : Effect.succeed(given);
  });

const noAnswer = new Failed({ reason: "model_error", message: "The model did not answer." });

interface Setting {
  readonly analyst: Layer.Layer<Analyst>;
  readonly source?: Partial<FakeDownloader.FakeSource>;
  readonly plans?: PlansGiven;
}
const setting = ({ analyst, source = {}, plans = {} }: Setting) =>
  world({ analyst, plans, sources: { [VIDEO]: { facts, ...source } } });

const run = Effect.fnUntraced(function* (over: object = {}) {
  const accountId = yield* openAccount();
  const done = yield* runToEnd(accountId, { ...BODY, ...over });
  yield* assertLaws(accountId);
  return { ...done, paid: done.creditsDebited - done.creditsRefunded };
});

describe("auto mode", () => {
  it.effect("stops at the text if its answer is good enough, and refunds the rest", () => {
    const asked: Array<string> = [];
    const fetched: Array<InspectedFetch> = [];
    return Effect.gen(function* () {
      const { absent, result, paid, creditsDebited, warnings } = yield* run();
      assert.deepStrictEqual([asked, creditsDebited, paid], [["comments"], PRICES.video, PRICES.text]);
      assert.deepStrictEqual(result?.rung, ["transcript", "comments"]);
      assert.deepStrictEqual(
        fetched.map(({ wants }) => wants),
        [["transcript", "comments"]]
      );
      assert.deepStrictEqual([absent, warnings], [[], []]);
    }).pipe(
      Effect.provide(
        setting({
          analyst: byRung({ comments: answer(0.75) }, asked),
          source: { beforeFetch: (request) => Effect.sync(() => fetched.push(request)) }
        })
      )
    );
  });

  it.effect("climbs on a free plan as far as its inputs go", () => {
    const asked: Array<string> = [];
    return Effect.gen(function* () {
      const { failure, result, creditsDebited } = yield* run({ maxSpendCredits: 0 });
      assert.deepStrictEqual([failure, creditsDebited, result?.rung], [null, 0, BODY.inputs]);
      assert.deepStrictEqual(asked, ["comments", "audio", "video"]);
    }).pipe(
      Effect.provide(
        setting({
          analyst: byRung({ comments: answer(0), audio: answer(0.1), video: answer(0.2) }, asked),
          plans: { default: { prices: "free" } }
        })
      )
    );
  });

  it.effect("on an expensive plan reads no more than was debited at its rates", () => {
    const asked: Array<string> = [];
    return Effect.gen(function* () {
      // The text costs 130 here and at the default rates.
      const { result, creditsDebited, paid } = yield* run({ maxSpendCredits: PRICES.video });
      assert.deepStrictEqual([asked, creditsDebited, paid], [["comments"], PRICES.text, PRICES.text]);
      assert.deepStrictEqual(result?.rung, ["transcript", "comments"]);
    }).pipe(
      Effect.provide(
        setting({
          analyst: byRung({ comments: answer(0), audio: answer(1), video: answer(1) }, asked),
          plans: { default: { prices: { aiAudioCreditsPerSecond: 100, aiVideoCreditsPerSecond: 100 } } }
        })
      )
    );
  });

  it.effect("continues while the answer is not good enough, fetching only new inputs", () => {
    const asked: Array<string> = [];
    const fetched: Array<unknown> = [];
    return Effect.gen(function* () {
      const { result, paid } = yield* run();
      assert.deepStrictEqual([asked, paid], [["comments", "audio"], PRICES.audio]);
      assert.deepStrictEqual(fetched, [
        [["transcript", "comments"], false],
        [["audio"], true]
      ]);
      assert.deepStrictEqual(result?.rung, ["transcript", "comments", "audio"]);
      assert.deepStrictEqual(
        result?.artifacts.map(({ name }) => name),
        [
          "audio.m4a",
          "transcript.txt",
          "transcript.json",
          "subtitles.en.vtt",
          "subtitles.en.srt",
          "comments.json",
          "thumbnail.jpg",
          "description.txt",
          "metadata.json"
        ]
      );
      const artifacts = yield* ArtifactStore;
      for (const { name, sizeBytes } of result?.artifacts ?? []) {
        const size = yield* artifacts.size({ ...(result?.artifactOwner ?? assert.fail()), name });
        assert.deepStrictEqual(size, Option.some(sizeBytes));
      }
    }).pipe(
      Effect.provide(
        setting({
          analyst: byRung({ comments: answer(0.7), audio: answer(0.8) }, asked),
          source: {
            beforeFetch: ({ wants, wantsOnly = false }) => Effect.sync(() => fetched.push([wants, wantsOnly]))
          }
        })
      )
    );
  });

  it.effect("returns the best rung, not the last, and charges for no more", () => {
    const answers = { comments: answer(0.1), audio: answer(0.6), video: answer(0.5) };
    return Effect.gen(function* () {
      const { result, paid } = yield* run();
      assert.deepStrictEqual(result?.rung, ["transcript", "comments", "audio"]);
      assert.strictEqual(paid, PRICES.audio);
      assert.notInclude(result?.artifacts.map(({ name }) => name) ?? [], "video.mp4");
    }).pipe(Effect.provide(setting({ analyst: byRung(answers) })));
  });

  it.effect("prefers an answer to none, and the cheaper of two equally good ones", () => {
    const uncertain = { outcome: "uncertain", verdictReason: "Who knows.", extraction: null } as const;
    const answers = { comments: uncertain, audio: answer(0), video: answer(0) };
    return Effect.gen(function* () {
      const { result, paid } = yield* run();
      assert.deepStrictEqual([result?.outcome, paid], ["ok", PRICES.audio]);
    }).pipe(Effect.provide(setting({ analyst: byRung(answers) })));
  });

  const about = { outcome: "no_match", verdictReason: "It is about cars.", extraction: null } as const;

  it.effect("accepts no_match after enough text", () => {
    const files = { "transcript.txt": "word ".repeat(300), "comments.json": '[{"text":"x"}]' };
    return Effect.gen(function* () {
      const { result, paid } = yield* run();
      assert.deepInclude(result, {
        outcome: "no_match",
        verdictReason: "It is about cars.",
        extraction: null
      });
      assert.isNull(result?.evidence);
      assert.strictEqual(paid, PRICES.text);
    }).pipe(Effect.provide(setting({ analyst: byRung({ comments: about }), source: { files } })));
  });

  it.effect("does not accept it after few words", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run()).result?.outcome, "ok");
    }).pipe(Effect.provide(setting({ analyst: byRung({ comments: about, audio: answer(1) }) })))
  );

  it.effect("keeps its best answer if a more expensive rung fails at the model or source", () => {
    const refusal = FakeDownloader.refuses("bot_blocked");
    const source: Partial<FakeDownloader.FakeSource> = {
      beforeFetch: ({ wants }) => (wants.includes("audio") ? Effect.fail(refusal) : Effect.void)
    };
    const expected = (message: string): ReadonlyArray<unknown> => [
      "complete",
      PRICES.text,
      [`The result was made without audio, because trying it failed: ${message}`]
    ];
    return Effect.gen(function* () {
      const model = yield* Effect.provide(
        run(),
        setting({ analyst: byRung({ comments: answer(0), audio: noAnswer }) })
      );
      assert.deepStrictEqual([model.status, model.paid, model.warnings ?? []], expected(noAnswer.message));
      const blocked = yield* Effect.provide(
        run(),
        setting({ analyst: byRung({ comments: answer(0) }), source })
      );
      assert.deepStrictEqual(
        [blocked.status, blocked.paid, blocked.warnings ?? []],
        expected(refusal.message)
      );
    });
  });

  it.effect("fails if its first rung does, or if the video turns out to be too long", () =>
    Effect.gen(function* () {
      const first = yield* Effect.provide(run(), setting({ analyst: byRung({ comments: noAnswer }) }));
      assert.deepStrictEqual([first.failure?.reason, first.paid], ["model_error", 0]);
      const long = yield* Effect.provide(
        run(),
        setting({
          analyst: byRung({ comments: answer(0) }),
          source: { facts: { ...facts, durationSeconds: null }, measuredDurationSeconds: 3_700 }
        })
      );
      assert.deepStrictEqual([long.failure?.reason, long.paid], ["too_long", 0]);
    })
  );

  it.effect("skips a rung for which the source has nothing new", () => {
    const files = {
      "transcript.txt": "Some words of speech, and enough of them to ask.",
      "comments.json": "[]",
      "video.mp4": "v"
    };
    const asked: Array<string> = [];
    return Effect.gen(function* () {
      const { absent, paid, warnings } = yield* run();
      assert.deepStrictEqual(asked, ["comments", "video"]);
      assert.deepStrictEqual(absent, ["audio"]);
      assert.deepStrictEqual(warnings, ["There is no audio: the source has no audio track."]);
      assert.strictEqual(paid, PRICES.video - 20);
    }).pipe(
      Effect.provide(
        setting({
          analyst: byRung({ comments: answer(0, "no"), video: answer(1) }, asked),
          source: { files }
        })
      )
    );
  });

  it.effect("does not fetch inputs that the model does not support", () => {
    const fetched: Array<unknown> = [];
    const deaf = Layer.effect(
      Analyst,
      Effect.map(Analyst, (analyst) => ({
        ...analyst,
        takes: Effect.succeed(["transcript", "comments", "video"] as const)
      }))
    ).pipe(Layer.provide(byRung({ comments: answer(0), video: answer(1) })));
    return Effect.gen(function* () {
      const { warnings } = yield* run();
      assert.deepStrictEqual(fetched, [["transcript", "comments"], ["video"]]);
      assert.deepStrictEqual(warnings, ["The audio was not read: the model does not support it."]);
    }).pipe(
      Effect.provide(
        setting({
          analyst: deaf,
          source: { beforeFetch: ({ wants }) => Effect.sync(() => fetched.push(wants)) }
        })
      )
    );
  });

  it.effect("under strict requires all inputs of the returned rung, and skips rungs that lack one", () => {
    const files = {
      "transcript.txt": "Some words of speech, and enough of them to ask.",
      "comments.json": "[]"
    };
    const analyst = byRung({ comments: answer(0) });
    return Effect.gen(function* () {
      const kept = yield* Effect.provide(run({ policy: "strict" }), setting({ analyst, source: { files } }));
      assert.deepStrictEqual([kept.status, kept.absent], ["complete", []]);
      const { "comments.json": _, ...less } = files;
      const refused = yield* Effect.provide(
        run({ policy: "strict" }),
        setting({ analyst, source: { files: less } })
      );
      assert.strictEqual(refused.failure?.reason, "input_unavailable");
    });
  });

  it.effect("settles an unknown duration by the fetched media, even if the text rung is returned", () =>
    Effect.gen(function* () {
      const { result, paid } = yield* run();
      assert.deepStrictEqual(
        [result?.rung, result?.measuredDurationSeconds],
        [["transcript", "comments"], 20]
      );
      // 50 + 10 + 20 + 10
      assert.strictEqual(paid, 90);
    }).pipe(
      Effect.provide(
        setting({
          analyst: byRung({ comments: answer(0.5), audio: answer(0.2), video: answer(0.2) }),
          source: { facts: { ...facts, durationSeconds: null }, measuredDurationSeconds: 20 }
        })
      )
    )
  );

  it.effect("settles it so even if the model failed on that media", () =>
    Effect.gen(function* () {
      const { result, paid } = yield* run();
      assert.strictEqual(result?.measuredDurationSeconds, 20);
      assert.strictEqual(paid, 90);
    }).pipe(
      Effect.provide(
        setting({
          analyst: byRung({ comments: answer(0), audio: noAnswer }),
          source: { facts: { ...facts, durationSeconds: null }, measuredDurationSeconds: 20 }
        })
      )
    )
  );

  it.effect("reports the current rung", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { ...BODY, inputs: ["transcript", "audio"] });
      const watched = yield* Effect.forkChild(
        Runs.use((runs) => runs.watch(accountId, extraction.id)).pipe(Effect.flatMap(Stream.runCollect))
      );
      yield* Effect.yieldNow;
      yield* execute(extraction);
      const places = (yield* Fiber.join(watched)).map(({ step, rung }) =>
        [step, rung?.length ?? null].join()
      );
      assert.deepStrictEqual(
        [...new Set(places)].filter((place) => place.startsWith("analysing") || place.startsWith("storing")),
        ["analysing,1", "analysing,2", "storing,"]
      );
    }).pipe(Effect.provide(setting({ analyst: byRung({ transcript: answer(0), audio: answer(1) }) })))
  );

  it.effect("that is cancelled on a later rung settles like any run", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>();
      const analyst = FakeAnalyst.layer((request) =>
        topOf(request) === "audio"
          ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
          : Effect.succeed(answer(0))
      );
      yield* Effect.gen(function* () {
        const accountId = yield* openAccount();
        const { extraction } = yield* submit(accountId, BODY);
        const fiber = yield* Effect.forkChild(execute(extraction));
        yield* Deferred.await(reached);
        yield* Runs.use((runs) => runs.cancel(accountId, extraction.id));
        yield* Fiber.join(fiber);
        const done = yield* read(accountId, extraction.id);
        assert.deepStrictEqual([done.failure?.reason, done.creditsRefunded], ["cancelled", PRICES.video]);
        const artifacts = yield* ArtifactStore;
        const key = { extractionId: extraction.id, attempt: 1, name: "transcript.txt" };
        assert.deepStrictEqual(yield* artifacts.size(key), Option.none());
        yield* assertLaws(accountId);
      }).pipe(Effect.provide(setting({ analyst })));
    })
  );
});
