/**
 * A trial of the configured models on pages and talks of our own, as a run would use them: outcome, values, what the
 * content supports, what was invented, the word error rate, seconds and tokens.
 *
 *     npm run models:trial -- [--pages 30] [--talks 10]
 *
 * Takes the settings of the server (WINNOW_LLM_*, WINNOW_SPEECH_*). Talks need espeak-ng.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { metadataText } from "@winnow/core/domain/result/ArtifactTexts";
import { isUnfounded } from "@winnow/core/domain/evidence/EvidenceRule";
import { isProven } from "@winnow/core/domain/evidence/Evidence";
import { leavesOf } from "@winnow/core/domain/text/Json";
import { isFilled } from "@winnow/core/domain/evidence/RungQuality";
import { verdictOf } from "@winnow/core/domain/evidence/Verdict";
import { valueAt } from "@winnow/core/domain/text/Json";
import { type Analysis, Analyst } from "@winnow/core/ports/Analyst";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { makeTokenMeter } from "@winnow/core/ports/TokenMeter";
import { Transcriber } from "@winnow/core/ports/Transcriber";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as Result from "effect/Result";
import { analyst, transcriber } from "../../src/main.ts";
import { readSettings, type Settings } from "../../src/settings/Config.ts";
import { PAGES, type TrialPage } from "./pages.ts";
import { type Talk, TALKS } from "./talks.ts";
import { wordErrorRate } from "./wordErrors.ts";
import { groundingOf } from "@winnow/testing/samples/evidence";

const { values: flags } = parseArgs({
  options: { pages: { type: "string", default: "30" }, talks: { type: "string", default: "10" } }
});

const MAX = Number.POSITIVE_INFINITY;

interface PageRow {
  readonly page: string;
  readonly outcome: string;
  readonly values: number;
  readonly supported: number;
  /** Texts and numbers that the content does not support. */
  readonly invented: number;
  /** Of the values that a reader finds; texts count if they are the same but for case. */
  readonly right: string;
  readonly seconds: number;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
}

const isSame = (found: unknown, expected: string | number): boolean =>
  typeof found === "string" && typeof expected === "string"
    ? found.trim().toLowerCase() === expected.toLowerCase()
    : found === expected;

const sourceOf = ({ title, text }: TrialPage) => ({
  facts: sampleFacts({ kind: "webpage", title, uploader: null, description: null, durationSeconds: null }),
  texts: [
    {
      source: "page" as const,
      segments: text
        .split("\n")
        .map((line) => ({ text: line, startSeconds: null, endSeconds: null, author: null }))
    }
  ]
});

/** The row of an analysis, judged as the engine does. */
const judged = (page: TrialPage, analysis: Analysis) => {
  const { facts, texts } = sourceOf(page);
  const claimed = verdictOf(analysis);
  const evidence =
    claimed.outcome === "ok"
      ? groundingOf(claimed.extraction, analysis.quotes, [...texts, metadataText(facts)])
      : {};
  const leaves = leavesOf(claimed.extraction).filter(({ value }) => isFilled(value));
  const supported = leaves.filter(({ pointer }) => isProven(evidence[pointer]));
  const quotable = leaves.filter(({ value }) => typeof value !== "boolean");
  const isRandom = claimed.outcome === "ok" && isUnfounded(page.schema, claimed.extraction, evidence);
  const expected = Object.entries(page.expected ?? {});
  const right = expected.filter(([at, value]) => isSame(valueAt(claimed.extraction, at), value)).length;
  return {
    outcome: isRandom ? "uncertain (unfounded)" : claimed.outcome,
    values: leaves.length,
    supported: supported.length,
    invented: quotable.length - supported.length,
    right: page.expected === null ? "-" : `${right}/${expected.length}`
  };
};

/** The row of a run that failed: nothing is right. */
const nothingIn = ({ expected }: TrialPage) => ({
  values: 0,
  supported: 0,
  invented: 0,
  right: expected === null ? "-" : `0/${Object.keys(expected).length}`
});

const readPage = Effect.fnUntraced(function* (page: TrialPage) {
  const meter = makeTokenMeter(MAX);
  const startedAtMs = performance.now();
  const { facts, texts } = sourceOf(page);
  const result = yield* Analyst.use(({ analyse }) =>
    analyse({
      facts,
      prompt: null,
      inputs: ["transcript"],
      texts,
      spokenLanguage: null,
      media: [],
      schema: page.schema
    })
  ).pipe(Effect.provideService(CurrentRun, runFor("", { meter })), Effect.result);
  const { inputTokens, outputTokens } = yield* meter.reported;
  const row: PageRow = {
    page: page.expected === null ? `${page.name} (stranger)` : page.name,
    ...(Result.isSuccess(result)
      ? judged(page, result.success)
      : { outcome: `failed: ${result.failure.reason}`, ...nothingIn(page) }),
    seconds: Number(((performance.now() - startedAtMs) / 1_000).toFixed(1)),
    tokensIn: inputTokens,
    tokensOut: outputTokens
  };
  console.log(JSON.stringify(row));
  return row;
});

const run = (program: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** The talk as a file of sound; null without espeak-ng. */
const spoken = ({ name, voice, text }: Talk, folder: string): string | null => {
  const [wav, file] = [join(folder, `${name}.wav`), join(folder, `${name}.m4a`)];
  const isSpoken = run("espeak-ng", ["-v", voice, "-s", "150", "-w", wav, text]);
  return isSpoken && run("ffmpeg", ["-v", "error", "-y", "-i", wav, "-c:a", "aac", "-b:a", "128k", file])
    ? file
    : null;
};

const hear = Effect.fnUntraced(function* (talk: Talk, folder: string) {
  const path = spoken(talk, folder);
  if (path === null) return null;
  const startedAtMs = performance.now();
  const file = {
    name: "audio.m4a",
    contentType: "audio/mp4",
    sizeBytes: statSync(path).size,
    source: { _tag: "LocalFile" as const, path }
  };
  const heard = yield* Transcriber.use(({ transcribe }) => transcribe(file, { language: null })).pipe(
    Effect.provideService(CurrentRun, runFor("")),
    Effect.result
  );
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const row = Result.isFailure(heard)
    ? { talk: talk.name, outcome: `failed: ${heard.failure.reason}`, wordErrorRate: null, seconds }
    : {
        talk: talk.name,
        outcome: heard.success === null || heard.success.segments.length === 0 ? "no speech" : "transcribed",
        wordErrorRate: wordErrorRate(
          talk.text,
          (heard.success?.segments ?? []).map(({ text }) => text).join(" ")
        ),
        seconds
      };
  console.log(JSON.stringify(row));
  return row;
});

const sum = <A>(rows: ReadonlyArray<A>, measure: (row: A) => number | null): number =>
  rows.reduce((total, row) => total + (measure(row) ?? 0), 0);

const sumOfRight = (rows: ReadonlyArray<PageRow>, part: 0 | 1): number =>
  sum(rows, ({ right }) => (right === "-" ? 0 : Number(right.split("/")[part])));

const tried = (settings: Settings, folder: string) =>
  Effect.gen(function* () {
    const { llmModel, speechModel } = settings;
    if (llmModel !== null) {
      const rows = yield* Effect.provide(
        Effect.forEach(PAGES.slice(0, Number(flags.pages)), readPage),
        analyst(settings, folder)
      );
      const outcomes = Map.groupBy(rows, ({ outcome }) => outcome);
      console.table({
        model: llmModel,
        pages: rows.length,
        outcomes: [...outcomes].map(([outcome, each]) => `${outcome} ${each.length}`).join(", "),
        values: sum(rows, ({ values }) => values),
        supported: sum(rows, ({ supported }) => supported),
        invented: sum(rows, ({ invented }) => invented),
        right: `${sumOfRight(rows, 0)} of ${sumOfRight(rows, 1)}`,
        secondsPerPage: (sum(rows, ({ seconds }) => seconds) / rows.length).toFixed(1),
        tokens: `${sum(rows, ({ tokensIn }) => tokensIn)} in, ${sum(rows, ({ tokensOut }) => tokensOut)} out`
      });
    }
    if (speechModel !== null) {
      const talks = TALKS.slice(0, Number(flags.talks));
      const heard = yield* Effect.provide(
        Effect.forEach(talks, (talk) => hear(talk, folder)),
        transcriber(settings, folder)
      );
      const rows = heard.filter((row) => row !== null);
      if (rows.length < talks.length) console.log("No talks: espeak-ng is not installed.");
      const rated = rows.filter(({ wordErrorRate: rate }) => rate !== null);
      console.table({
        model: speechModel,
        talks: rows.length,
        wordErrorRate: (sum(rated, ({ wordErrorRate: rate }) => rate) / rated.length).toFixed(3),
        secondsPerTalk: (sum(rows, ({ seconds }) => seconds) / rows.length).toFixed(1)
      });
    }
    if (llmModel === null && speechModel === null) {
      console.log("Nothing to try: set WINNOW_LLM_BASE_URL and WINNOW_LLM_MODEL, or WINNOW_SPEECH_MODEL.");
    }
  });

const folder = mkdtempSync(join(tmpdir(), "winnow-trial-"));
try {
  await Effect.runPromise(
    tried(Result.getOrThrow(readSettings(process.env)), folder).pipe(
      Effect.provide(Logger.layer([Logger.consolePretty()])),
      Effect.scoped
    )
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
