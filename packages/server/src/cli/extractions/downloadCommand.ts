/** `winnow download`: the files of an extraction on a server, saved to a folder. */
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TerminalResult, Winnow } from "@winnow/client";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { argument, callOwn, ownAccount } from "../clients.ts";
import { CliFailed } from "../Inputs.ts";
import { asJson, printResult, sizeText, tableText } from "../Output.ts";
import { openProgress, type Progress } from "../ProgressLine.ts";

interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

const filesOf = (id: string, result: { readonly status: string }): ReadonlyArray<StoredFile> => {
  if (result.status === "complete")
    return (result as Extract<TerminalResult, { status: "complete" }>).artifacts.details;
  const remedy =
    result.status === "failed" ? `winnow show ${id} says why.` : `winnow wait ${id} waits for it.`;
  throw new CliFailed({ message: `${id} has no files, because it is ${result.status}: ${remedy}` });
};

/** A part is a file's name, or its name without its ending. */
const chosenOf = (
  files: ReadonlyArray<StoredFile>,
  parts: ReadonlyArray<string>
): ReadonlyArray<StoredFile> => {
  const isNamed = ({ name }: StoredFile, part: string) => name === part || name.split(".")[0] === part;
  const missing = parts.filter((part) => !files.some((file) => isNamed(file, part)));
  if (missing.length > 0) {
    const names = files.map(({ name }) => name).join(", ");
    throw new CliFailed({ message: `There is no ${missing.join(", ")}. The files are: ${names}.` });
  }
  return parts.length === 0 ? files : files.filter((file) => parts.some((part) => isNamed(file, part)));
};

const checkAbsent = (paths: ReadonlyArray<string>): void => {
  const taken = paths.find((path) => existsSync(path));
  if (taken === undefined) return;
  throw new CliFailed({ message: `${taken} exists: choose another folder with --to, or pass --overwrite.` });
};

const unwritable = (path: string) => (error: unknown) => {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const isOfDisk = ["EACCES", "EEXIST", "ENOTDIR", "EROFS", "ENOSPC", "EPERM", "EISDIR"].includes(code);
  throw isOfDisk ? new CliFailed({ message: `${path} cannot be written (${code}).` }) : (error as Error);
};

interface Task {
  readonly winnow: Winnow;
  readonly id: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Complete, or not there at all. */
const saveFile = async (task: Task, name: string, onBytes: (count: number) => void): Promise<string> => {
  const path = join(task.folder, basename(name));
  const partial = `${path}.${process.pid}.part`;
  const counted = new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      onBytes(chunk.length);
      done(null, chunk);
    }
  });
  const { body } = await task.winnow.files.get(task.id, name, { signal: task.signal });
  const source = body === null ? Readable.from([]) : Readable.fromWeb(body as never);
  try {
    await pipeline(source, counted, createWriteStream(partial, { flags: "wx" }), {
      signal: task.signal
    }).catch(unwritable(path));
    await rename(partial, path).catch(unwritable(path));
  } finally {
    await rm(partial, { force: true });
  }
  return path;
};

const saveAll = async (task: Task, files: ReadonlyArray<StoredFile>, show: (progress: Progress) => void) => {
  await mkdir(task.folder, { recursive: true }).catch(unwritable(task.folder));
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const saved: Record<string, string> = {};
  let bytes = 0;
  for (const { name } of files) {
    saved[name] = await saveFile(task, name, (count) => {
      bytes += count;
      const percent = totalBytes === 0 ? null : (100 * bytes) / totalBytes;
      show({ phase: "downloading", step: name, percent, bytes, rung: null });
    });
  }
  return saved;
};

export const download = Command.make(
  "download",
  {
    ...ownAccount,
    id: argument("id", "Id of the extraction"),
    parts: Argument.String("part").pipe(
      Argument.withDescription("Names of files, such as transcript or video.mp4; all by default"),
      Argument.variadic()
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("Folder for the files, created if missing; winnow-<id> by default"),
      Flag.optional
    ),
    overwrite: Flag.Boolean("overwrite").pipe(
      Flag.withDescription("Replace files that exist"),
      Flag.withDefault(false)
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ id, parts, to, overwrite, json, ...from }) {
    const folder = resolve(Option.getOrElse(to, () => `winnow-${id}`));
    const line = yield* openProgress;
    const { files, saved } = yield* callOwn(from, async (winnow, signal) => {
      const chosen = chosenOf(filesOf(id, await winnow.extractions.result(id, { signal })), parts);
      if (!overwrite) checkAbsent(chosen.map(({ name }) => join(folder, name)));
      return { files: chosen, saved: await saveAll({ winnow, id, folder, signal }, chosen, line.show) };
    });
    line.clear();
    const rows = files.map(({ name, bytes }) => [name, sizeText(bytes)]);
    yield* printResult(json, { folder, files: saved }, `${tableText(["file", "size"], rows)}\nin ${folder}`);
  }, Effect.scoped)
).pipe(
  Command.withDescription("Save the files of an extraction of your account to a folder"),
  Command.withExamples([
    { command: "winnow download ext_... transcript --to talk", description: "Only the transcript" }
  ])
);
