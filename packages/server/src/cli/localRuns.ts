/** What `winnow extract` and `winnow probe` do: execute a run in this process and save its artifacts, or quote it. */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Extraction, RunResult } from "@winnow/core/domain/run/Extraction";
import type { RunProgress } from "@winnow/core/domain/run/RunProgress";
import { warningsOf } from "@winnow/core/domain/result/ResultView";
import { summaryOf } from "@winnow/core/domain/result/Summary";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Probes } from "@winnow/core/engine/extractions/Probes";
import { Runs } from "@winnow/core/engine/runs/Runs";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import type { ProbeResponse } from "../routes/extractions/ProbeWire.ts";
import { isWritableFolder } from "../settings/settingPaths.ts";
import { jsonText } from "../TerminalText.ts";
import { CliFailed, readSchema, usableSettings } from "./Inputs.ts";
import { cliFailedOf, failureText, localAccount, localEngine } from "./localEngine.ts";
import type { SubmitInput } from "./runCommands.ts";

/** The body as a caller of the API would send it; the engine validates it. */
const bodyOf = Effect.fnUntraced(function* (input: SubmitInput) {
  const { url, parts, schema, prompt, language, evidence, speech } = input;
  const given = Option.map(parts, (names) => names.split(",").map((name) => name.trim()));
  const body = {
    url,
    [Option.isSome(schema) ? "inputs" : "parts"]: Option.getOrUndefined(given),
    schema: Option.isSome(schema) ? yield* readSchema(schema.value) : undefined,
    prompt: Option.getOrUndefined(prompt),
    language: Option.getOrUndefined(language),
    evidence: Option.getOrUndefined(evidence),
    speech: speech || undefined
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
});

const CLEAR_LINE = "\r\u001b[2K";

const MEGABYTE = 1_000_000;

const stepOf = ({ phase, step }: RunProgress): string => step ?? phase;

const progressText = (progress: RunProgress): string =>
  [
    stepOf(progress),
    progress.rung === null ? null : `from ${progress.rung.join(", ")}`,
    progress.percent === null ? null : `${Math.round(progress.percent)} %`,
    progress.bytes === 0 ? null : `${(progress.bytes / MEGABYTE).toFixed(1)} MB`
  ]
    .filter((part) => part !== null)
    .join("  ");

/** Progress as one line that is overwritten on a terminal, or one line per step elsewhere. */
const openProgress = (stream: NodeJS.WriteStream) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let lastStep = "";
      const clear = (): void => {
        if (stream.isTTY) stream.write(CLEAR_LINE);
      };
      const show = (progress: RunProgress): void => {
        if (stream.isTTY) stream.write(`${CLEAR_LINE}${progressText(progress)}`);
        else if (stepOf(progress) !== lastStep) stream.write(`${stepOf(progress)}\n`);
        lastStep = stepOf(progress);
      };
      return { show, clear };
    }),
    (line) => Effect.sync(line.clear)
  );

type Finished = Extraction & { readonly result: RunResult };

const unwritable = (path: string) =>
  new CliFailed({ message: `${path} is not writable; choose another folder with --out.` });

const save = Effect.fnUntraced(function* (extraction: Finished, folder: string) {
  const store = yield* ArtifactStore;
  yield* Effect.tryPromise({
    try: () => mkdir(folder, { recursive: true }),
    catch: () => unwritable(folder)
  });
  const files: Record<string, string> = {};
  for (const { name } of extraction.result.artifacts) {
    const path = join(folder, name);
    const bytes = Stream.toReadableStream(store.read({ ...extraction.result.artifactOwner, name }, null));
    yield* Effect.tryPromise({
      try: () => pipeline(Readable.fromWeb(bytes as never), createWriteStream(path)),
      catch: () => unwritable(path)
    });
    files[name] = path;
  }
  return files;
});

const run = Effect.fnUntraced(function* (input: SubmitInput, onProgress: (progress: RunProgress) => void) {
  const extractions = yield* Extractions;
  const runs = yield* Runs;
  const accountId = yield* localAccount;
  yield* runs.work(1);
  const { extraction } = yield* extractions
    .submit(accountId, yield* bodyOf(input), null)
    .pipe(Effect.mapError(cliFailedOf));
  const events = yield* Effect.orDie(runs.watch(accountId, extraction.id));
  yield* Stream.runForEach(events, (event) => Effect.sync(() => onProgress(event)));
  return yield* Effect.orDie(extractions.get(accountId, extraction.id));
});

const finished = (extraction: Extraction): Effect.Effect<Finished, CliFailed> => {
  const { result, failure } = extraction;
  if (result !== null) return Effect.succeed({ ...extraction, result });
  return Effect.fail(new CliFailed({ message: failureText(failure) }));
};

/** The extraction with the field names of the API; download-only runs only have warnings. */
const answerOf = (finishedRun: Finished) => {
  const warnings = warningsOf(finishedRun);
  const { outcome, verdictReason, extraction, evidence } = finishedRun.result;
  return outcome === null ? { warnings } : { warnings, outcome, verdictReason, extraction, evidence };
};

const listing = (extraction: Finished, folder: string): string => {
  const { result } = extraction;
  return [
    result.facts.title ?? result.facts.webpageUrl,
    ...result.artifacts.map(({ name, sizeBytes }) => `  ${name.padEnd(24)} ${sizeBytes} bytes`),
    ...(result.outcome === null ? [] : [`outcome: ${result.outcome}. ${result.verdictReason ?? ""}`.trim()]),
    ...(result.extraction === null ? [] : [jsonText(result.extraction)]),
    ...warningsOf(extraction).map((warning) => `  note: ${warning}`),
    `in ${folder}`
  ].join("\n");
};

export const extractLocally = Effect.fnUntraced(function* (
  input: SubmitInput & { readonly out: Option.Option<string> }
) {
  const settings = yield* usableSettings;
  const chosen = Option.map(input.out, (folder) => resolve(folder));
  // Checked before the run, which costs time and, with a schema, money.
  if (Option.isSome(chosen) && !isWritableFolder(chosen.value)) return yield* unwritable(chosen.value);
  const engine = yield* localEngine(settings);
  const line = yield* openProgress(process.stderr);
  yield* Effect.gen(function* () {
    const extraction = yield* finished(yield* run(input, line.show));
    const folder = Option.getOrElse(chosen, () => resolve(`winnow-${extraction.id}`));
    const files = yield* save(extraction, folder);
    line.clear();
    yield* Console.log(
      input.json
        ? jsonText({ summary: summaryOf(extraction), files, ...answerOf(extraction) })
        : listing(extraction, folder)
    );
  }).pipe(Effect.provideContext(engine));
}, Effect.scoped);

const quoteText = (probe: ProbeResponse): string =>
  [
    ["url", probe.url],
    ["title", probe.title ?? "unknown"],
    ["duration", probe.durationSec === null ? "unknown" : `${probe.durationSec} s`],
    ["subtitles", probe.hasSubtitles ? "yes" : "no"],
    ["comments", probe.hasComments ? "yes" : "no"],
    ["slides", String(probe.imageCount)],
    ["price", `${probe.price.credits} credits ($${probe.price.usd})`]
  ]
    .map(([name = "", value]) => `${name.padEnd(10)} ${value}`)
    .join("\n");

export const probeLocally = Effect.fnUntraced(function* (input: SubmitInput) {
  const settings = yield* usableSettings;
  const engine = yield* localEngine(settings);
  const answer = yield* Effect.gen(function* () {
    const probes = yield* Probes;
    return yield* probes.probe(yield* localAccount, yield* bodyOf(input)).pipe(Effect.mapError(cliFailedOf));
  }).pipe(Effect.provideContext(engine));
  yield* Console.log(input.json ? jsonText(answer) : quoteText(answer));
}, Effect.scoped);
