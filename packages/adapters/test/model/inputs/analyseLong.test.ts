import * as Effect from "effect/Effect";
import { assert, describe, it } from "@effect/vitest";
import { Failed } from "@winnow/core/domain/source/Failed";
import { analyseLong, type AnalysisStep } from "../../../src/model/inputs/analyseLong.ts";
import { contextBudget, SECTIONS_AT_ONCE, SECTIONS_MAX } from "../../../src/model/inputs/splitInputs.ts";
import type { InputPart, LabelledText, PreparedInputs } from "../../../src/model/inputs/InputItems.ts";
import { InputTooLong } from "../../../src/model-server/LlmFailures.ts";
import { mergeAnswers, EMPTY_ANSWER, type Answer } from "../../../src/model/inputs/mergeAnswers.ts";

/** Cues, each with a unique number. */
const talk = (cues: number): PreparedInputs => {
  const text: LabelledText = {
    source: "transcript",
    label: "transcript",
    segments: Array.from({ length: cues }, (_, number) => ({
      text: `Ingredient <${number}> is added to the pot now.`,
      startSeconds: number * 4,
      endSeconds: number * 4 + 4,
      author: null
    }))
  };
  return {
    texts: [text],
    transcribed: [],
    media: [],
    unavailable: [],
    unreadSlides: 0,
    warnings: []
  };
};

const numbersIn = (parts: ReadonlyArray<InputPart>): ReadonlyArray<number> =>
  parts.flatMap((part) =>
    part._tag === "Text" ? [...part.text.matchAll(/<(\d+)>/gu)].map(([, number]) => Number(number)) : []
  );

const found = (numbers: ReadonlyArray<number>): Answer => ({
  outcome: "ok",
  verdictReason: null,
  extraction: { first: numbers[0] ?? null, all: numbers },
  quotes: numbers.slice(0, 1).map((number) => ({ pointer: "/all/0", quote: `<${number}>` })),
  confidence: 1
});

interface Call {
  readonly reading: AnalysisStep;
  readonly parts: ReadonlyArray<InputPart>;
}

/** A model that reads the numbers of a section, and returns the merge when asked to reconcile. */
const model = (calls: Array<Call>, longest = Number.POSITIVE_INFINITY) => ({
  ask: (parts: ReadonlyArray<InputPart>, reading: AnalysisStep): Effect.Effect<Answer, InputTooLong> =>
    Effect.suspend(() => {
      calls.push({ reading, parts });
      const [first] = parts;
      const text = first?._tag === "Text" ? first.text : "";
      if (text.length > longest) return Effect.fail(new InputTooLong());
      if (reading._tag !== "Reconciliation") return Effect.succeed(found(numbersIn(parts)));
      const merged = JSON.parse(text.slice(text.lastIndexOf("Merged: ") + 8)) as Pick<Answer, "extraction">;
      return Effect.succeed({ ...found([]), extraction: merged.extraction });
    }),
  merge: (answers: ReadonlyArray<Answer>) => Effect.succeed(mergeAnswers(answers)),
  accept: (merged: Answer) => Effect.succeed(merged)
});

const all = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("reading long inputs", () => {
  it.effect("content that fits takes one call", () =>
    Effect.gen(function* () {
      const calls: Array<Call> = [];
      const read = yield* analyseLong(talk(100), {
        contextTokens: 16_000,
        overheadTokens: 2_000,
        ...model(calls)
      });
      assert.deepStrictEqual(
        calls.map(({ reading }) => reading._tag),
        ["Whole"]
      );
      assert.deepStrictEqual(read.coverage, { sections: 1, readShare: 1 });
      assert.deepStrictEqual(read.warnings, []);
    })
  );

  it.effect("longer content is read completely in sections and reconciled once", () =>
    Effect.gen(function* () {
      const calls: Array<Call> = [];
      const read = yield* analyseLong(talk(1_000), {
        contextTokens: 8_000,
        overheadTokens: 2_000,
        ...model(calls)
      });
      const sections = calls.filter(({ reading }) => reading._tag === "Section");
      assert.isAbove(sections.length, 2);
      assert.lengthOf(calls, sections.length + 1);
      assert.deepStrictEqual(calls.at(-1)?.reading, {
        _tag: "Reconciliation",
        count: sections.length,
        unread: null
      });
      assert.deepStrictEqual(read.answer.extraction, { first: 0, all: all(1_000) });
      assert.deepInclude(read.answer.quotes, { pointer: "/all/0", quote: "<0>" });
      assert.deepStrictEqual(read.coverage, { sections: sections.length, readShare: 1 });
      const { sectionTokens } = contextBudget(8_000, 2_000);
      for (const { parts } of sections) {
        const [part] = parts;
        assert.isBelow(part?._tag === "Text" ? part.text.length / 3.5 : 0, sectionTokens);
      }
    })
  );

  it.effect("a model with less context than configured gets less", () =>
    Effect.gen(function* () {
      const calls: Array<Call> = [];
      const read = yield* analyseLong(talk(500), {
        contextTokens: 64_000,
        overheadTokens: 2_000,
        ...model(calls, 12_000)
      });
      assert.deepStrictEqual(calls[0]?.reading, { _tag: "Whole" });
      assert.deepStrictEqual(read.answer.extraction, { first: 0, all: all(500) });
      const never = yield* Effect.flip(
        analyseLong(talk(500), { contextTokens: 64_000, overheadTokens: 2_000, ...model([], 10) })
      );
      assert.strictEqual(never._tag, "InputTooLong");
    })
  );

  it.effect("content over the limit of sections causes a warning with the share that was read", () =>
    Effect.gen(function* () {
      const calls: Array<Call> = [];
      const read = yield* analyseLong(talk(8_000), {
        contextTokens: 4_000,
        overheadTokens: 2_000,
        ...model(calls)
      });
      assert.lengthOf(
        calls.filter(({ reading }) => reading._tag === "Section"),
        SECTIONS_MAX
      );
      assert.isBelow(read.coverage.readShare, 1);
      const [warning, ...others] = read.warnings;
      assert.match(
        warning ?? "",
        /^The content is very long: only its first \d+ % were read, in 24 sections\.$/u
      );
      assert.deepStrictEqual(others, []);
      const { all: numbers } = read.answer.extraction as { readonly all: ReadonlyArray<number> };
      assert.closeTo(numbers.length / 8_000, read.coverage.readShare, 0.02);
    })
  );

  it.effect("sections that do not match need no last call", () =>
    Effect.gen(function* () {
      const seen: Array<AnalysisStep> = [];
      const none: Answer = {
        outcome: "no_match",
        verdictReason: "Is about cars.",
        extraction: null,
        quotes: [],
        confidence: 0.9
      };
      const read = yield* analyseLong(talk(1_000), {
        contextTokens: 8_000,
        overheadTokens: 2_000,
        ask: (_, reading) => Effect.sync(() => (seen.push(reading), none)),
        merge: (answers: ReadonlyArray<Answer>) => Effect.succeed(mergeAnswers(answers)),
        accept: (merged: Answer) => Effect.succeed(merged)
      });
      assert.deepStrictEqual(read.answer, none);
      assert.isTrue(seen.every(({ _tag }) => _tag === "Section"));
    })
  );

  const cut = new Failed({ reason: "invalid_model_output", message: "It was cut." });

  it.each<[string, Effect.Effect<Answer, Failed>, number]>([
    ["fails", Effect.fail(cut), 1_000],
    ["leaves most out", Effect.succeed({ ...found([]), extraction: { first: 0, all: all(20) } }), 1_000],
    ["leaves all out", Effect.succeed({ ...found([]), extraction: { first: 0, all: [] } }), 1_000],
    ["takes it for nothing", Effect.succeed({ ...EMPTY_ANSWER, verdictReason: "Hm." }), 1_000],
    ["joins some", Effect.succeed({ ...found([]), extraction: { first: 0, all: all(900) } }), 900]
  ])("a last call that %s does not lose what the sections said", (_name, last, count) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const read = yield* analyseLong<Failed>(talk(1_000), {
          contextTokens: 8_000,
          overheadTokens: 2_000,
          ask: (parts, { _tag }) =>
            _tag === "Reconciliation" ? last : Effect.succeed(found(numbersIn(parts))),
          merge: (answers) => Effect.succeed(mergeAnswers(answers)),
          accept: (merged) => Effect.succeed(merged)
        });
        const { all: numbers } = read.answer.extraction as { readonly all: ReadonlyArray<number> };
        assert.lengthOf(numbers, count);
        assert.strictEqual((read.answer.warnings ?? []).length, count === 1_000 ? 1 : 0);
      })
    )
  );

  it.effect("a failed last call is reported if the merge does not match the schema", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        analyseLong<Failed>(talk(1_000), {
          contextTokens: 8_000,
          overheadTokens: 2_000,
          ask: (parts, { _tag }) =>
            _tag === "Reconciliation" ? Effect.fail(cut) : Effect.succeed(found(numbersIn(parts))),
          merge: (answers) => Effect.succeed(mergeAnswers(answers)),
          accept: () => Effect.fail(new Failed({ reason: "invalid_model_output", message: "No." }))
        })
      );
      assert.strictEqual(failure, cut);
    })
  );

  it.effect("a merge that is too long for one call is validated by code", () =>
    Effect.gen(function* () {
      const accepted: Array<Answer> = [];
      const refused = new Failed({ reason: "invalid_model_output", message: "No." });
      const long = "word ".repeat(2_000);
      const failure = yield* Effect.flip(
        analyseLong(talk(1_000), {
          contextTokens: 8_000,
          overheadTokens: 2_000,
          ask: (parts) =>
            Effect.succeed({ ...found([]), extraction: { [String(numbersIn(parts)[0])]: long } }),
          merge: (answers: ReadonlyArray<Answer>) => Effect.succeed(mergeAnswers(answers)),
          accept: (merged: Answer) => {
            accepted.push(merged);
            return Effect.fail(refused);
          }
        })
      );
      assert.strictEqual(failure, refused);
      assert.lengthOf(accepted, 1);
      assert.isAbove(Object.keys(accepted[0]?.extraction as object).length, 2);
    })
  );

  it.effect("a number that a section rounded is one wherever the last call puts it", () =>
    Effect.gen(function* () {
      const id = Number("1917043659912705296");
      const { answer } = yield* analyseLong(talk(1_000), {
        contextTokens: 8_000,
        overheadTokens: 2_000,
        ask: (_parts, { _tag }) =>
          Effect.succeed(
            _tag === "Reconciliation"
              ? { ...found([]), extraction: { first: 7, all: [1, id] }, quotes: [] }
              : { ...found([]), extraction: { all: [id] }, inexact: ["/all/0"], quotes: [] }
          ),
        merge: (answers: ReadonlyArray<Answer>) => Effect.succeed(mergeAnswers(answers)),
        accept: (merged: Answer) => Effect.succeed(merged)
      });
      assert.deepStrictEqual(answer.inexact, ["/all/1"]);
    })
  );

  it.effect("few sections are read concurrently", () =>
    Effect.gen(function* () {
      let now = 0;
      let most = 0;
      yield* analyseLong(talk(2_000), {
        contextTokens: 8_000,
        overheadTokens: 2_000,
        ask: (parts) =>
          Effect.acquireUseRelease(
            Effect.sync(() => (most = Math.max(most, ++now))),
            () => Effect.as(Effect.yieldNow, found(numbersIn(parts).slice(0, 1))),
            () => Effect.sync(() => now--)
          ),
        merge: (answers: ReadonlyArray<Answer>) => Effect.succeed(mergeAnswers(answers)),
        accept: (merged: Answer) => Effect.succeed(merged)
      });
      assert.strictEqual(most, SECTIONS_AT_ONCE);
    })
  );
});
