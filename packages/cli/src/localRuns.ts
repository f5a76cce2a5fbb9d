/**
 * What `winnow extract` and `winnow probe` do in this process: execute a run and save its artifacts, or quote it. Tests:
 * winnow.test.ts, hostileModel.test.ts.
 */
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { creditsToUsd } from "@winnow/core/domain/money/Credits";
import { artifactOf } from "@winnow/core/domain/result/ArtifactName";
import * as Effect from "effect/Effect";
import { ApiError } from "@winnow/client";
import type { CompleteResult, ProbeResponse, Submission, TerminalResult, Winnow } from "@winnow/client";
import { stretchText } from "@winnow/client/clock";
import * as Console from "effect/Console";
import * as Option from "effect/Option";
import { isWritableFolder } from "@winnow/server/settings/settingPaths";
import { jsonText } from "@winnow/server/TerminalText";
import { failureText, foundText } from "./extractions/resultText.ts";
import { checkAbsent, saveAll } from "./extractions/savedFiles.ts";
import { contentFields, withRangeFlags } from "./extractions/submissionFields.ts";
import { given } from "./flags.ts";
import { CliFailed, usableSettings } from "./Inputs.ts";
import { creditsText, durationText, pairsText } from "./Output.ts";
import { localClient } from "./localServer.ts";
import { openProgress, type Progress } from "./ProgressLine.ts";
import type { SubmitInput } from "./runCommands.ts";

/** The server reports what is wrong with it. */
const bodyOf = Effect.fnUntraced(function* (input: SubmitInput) {
  const { url, parts, schema, from, to, json: _json, ...others } = input;
  const content = Option.isSome(schema)
    ? { schema, parts: Option.none(), inputs: parts }
    : { schema, parts, inputs: Option.none() };
  return { url, ...(yield* contentFields({ ...content, from, to })), ...given(others) } as Submission;
});

/** For who runs this program and may decide so. */
const ALLOWING =
  "To allow hosts of your own network, list them in WINNOW_EGRESS_ALLOW, such as wiki.example:8080.";

const cliFailedOf = (error: unknown): CliFailed => {
  if (error instanceof CliFailed) return error;
  const message = withRangeFlags((error as Error).message);
  const isPrivate = error instanceof ApiError && error.details["reason"] === "host_not_public";
  return new CliFailed(isPrivate ? `${message} ${ALLOWING}` : message);
};

/** The programs take seconds to start. */
const STARTING: Progress = { phase: "starting", step: null, percent: null, bytes: 0, rung: null };

/** Calls a server in this process. */
const locally = Effect.fnUntraced(function* <A>(use: (client: Winnow, signal: AbortSignal) => Promise<A>) {
  const { client } = yield* localClient(yield* usableSettings);
  return yield* Effect.tryPromise({ try: (signal) => use(client, signal), catch: cliFailedOf });
});

const NOT_PUBLIC: ReadonlySet<string> = new Set(["host_not_public", "blocked_address"]);

const complete = (result: TerminalResult): CompleteResult => {
  if (result.status === "complete") return result;
  const isPrivate = NOT_PUBLIC.has(result.failure.reason);
  throw new CliFailed(isPrivate ? `${result.error} ${ALLOWING}` : failureText(result));
};

/** Submits, and shows the progress until the end. */
const run = async (
  client: Winnow,
  body: Submission,
  show: (progress: Progress) => void,
  signal: AbortSignal
): Promise<CompleteResult> => {
  const { id } = await client.submit(body, { signal });
  const result = complete(await client.extractions.wait(id, { signal, onProgress: show }));
  show({ ...STARTING, phase: "saving" });
  return result;
};

const unwritable = (folder: string) =>
  new CliFailed(`${folder} is not writable; choose another folder with --out.`);

/** Whether a run may save its files there: which it will have, nobody knows before. */
const checkFolder = (folder: string, mayReplace: boolean): void => {
  if (!isWritableFolder(folder)) throw unwritable(folder);
  if (mayReplace || !existsSync(folder)) return;
  const artifacts = readdirSync(folder).filter((name) => artifactOf(name) !== null);
  checkAbsent(folder, artifacts, "--out");
};

/** Download-only runs only have warnings. */
const answerOf = ({ warnings, outcome, verdictReason, extraction, evidence }: CompleteResult) =>
  outcome === null
    ? { warnings }
    : { warnings, outcome, verdictReason: verdictReason ?? null, extraction, evidence };

const listing = (result: CompleteResult, folder: string): string =>
  [result.summary.title ?? result.summary.webpage_url, foundText(result), `in ${folder}`]
    .filter((text) => text !== "")
    .join("\n");

export const extractLocally = Effect.fnUntraced(function* ({
  out,
  overwrite,
  ...input
}: SubmitInput & { readonly out: Option.Option<string>; readonly overwrite: boolean }) {
  const chosen = Option.map(out, (folder) => resolve(folder));
  // Checked before the run, which costs time and, with a schema, money.
  if (Option.isSome(chosen)) {
    yield* Effect.try({ try: () => checkFolder(chosen.value, overwrite), catch: cliFailedOf });
  }
  const body = yield* bodyOf(input);
  const line = yield* openProgress;
  line.show(STARTING);
  const { result, folder, files } = yield* locally(async (client, signal) => {
    const result = await run(client, body, line.show, signal);
    const folder = Option.getOrElse(chosen, () => resolve(`winnow-${result.id}`));
    const task = { winnow: client, id: result.id, folder, signal };
    return { result, folder, files: await saveAll(task, result.artifacts.details, () => undefined) };
  });
  line.clear();
  yield* Console.log(
    input.json ? jsonText({ summary: result.summary, files, ...answerOf(result) }) : listing(result, folder)
  );
}, Effect.scoped);

const quoteText = (probe: ProbeResponse, { range }: Submission): string =>
  pairsText([
    ["url", probe.url],
    ["title", probe.title ?? "unknown"],
    ["duration", probe.durationSec === null ? "unknown" : durationText(probe.durationSec)],
    ["stretch", range === undefined ? null : stretchText(range)],
    ["captions", probe.hasSubtitles ? "yes" : "no"],
    ["comments", probe.hasComments ? "yes" : "no"],
    ["slides", probe.imageCount === 0 ? null : probe.imageCount],
    ["price", `${creditsText(probe.price.credits)} ($${creditsToUsd(probe.price.credits)})`]
  ]);

export const probeLocally = Effect.fnUntraced(function* (input: SubmitInput) {
  const body = yield* bodyOf(input);
  const line = yield* openProgress;
  line.show(STARTING);
  const answer = yield* locally((client, signal) => client.probe(body, { signal }));
  line.clear();
  yield* Console.log(input.json ? jsonText(answer) : quoteText(answer, body));
}, Effect.scoped);
