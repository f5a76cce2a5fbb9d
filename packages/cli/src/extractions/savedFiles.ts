/** Files of an extraction, saved to a folder; those that are there are replaced only on request. */
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Winnow } from "@winnow/client";
import { toggle } from "../flags.ts";
import { CliFailed } from "../Inputs.ts";
import type { Progress } from "../ProgressLine.ts";

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

export const overwrite = toggle(
  "overwrite",
  "Replace files that exist; otherwise nothing is saved if one of them does"
);

/** `flag` chooses the folder. @throws CliFailed */
export const checkAbsent = (paths: ReadonlyArray<string>, flag: string): void => {
  const taken = paths.find((path) => existsSync(path));
  if (taken === undefined) return;
  throw new CliFailed({
    message: `${taken} exists: choose another folder with ${flag}, or pass --overwrite.`
  });
};

const unwritable = (path: string) => (error: unknown) => {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const isOfDisk = ["EACCES", "EEXIST", "ENOTDIR", "EROFS", "ENOSPC", "EPERM", "EISDIR"].includes(code);
  throw isOfDisk ? new CliFailed({ message: `${path} cannot be written (${code}).` }) : (error as Error);
};

export interface Task {
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

/** Their paths by name. */
export const saveAll = async (
  task: Task,
  files: ReadonlyArray<StoredFile>,
  show: (progress: Progress) => void
): Promise<Readonly<Record<string, string>>> => {
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
