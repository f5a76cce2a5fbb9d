/** What `winnow extract` does: executes one run in this process and saves its artifacts. */
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
import { Runs } from "@winnow/core/engine/runs/Runs";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { isWritableFolder } from "../settings/settingPaths.ts";
import { jsonText } from "../TerminalText.ts";
import { CliFailed } from "./CliFailed.ts";
import { usableSettings } from "./environment.ts";
import { cliFailedOf, failureText, localAccount, localEngine } from "./localEngine.ts";
import { ProgressLine } from "./ProgressLine.ts";
import { bodyOf, type SubmitInput } from "./submitFlags.ts";

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

interface ExtractInput extends SubmitInput {
  readonly out: Option.Option<string>;
}

export const extractLocally = Effect.fnUntraced(function* (input: ExtractInput) {
  const settings = yield* usableSettings;
  const chosen = Option.map(input.out, (folder) => resolve(folder));
  // Checked before the run, which costs time and, with a schema, money.
  if (Option.isSome(chosen) && !isWritableFolder(chosen.value)) return yield* unwritable(chosen.value);
  const engine = yield* localEngine(settings);
  const line = yield* ProgressLine.open(process.stderr);
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
