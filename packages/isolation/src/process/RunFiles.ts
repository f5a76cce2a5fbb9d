/**
 * The only module that reads and writes files of a run (a lint rule keeps it so). A program may have replaced any name
 * in its folder by a link, a pipe or a folder, and may still be writing: such files are never followed, waited for or
 * read beyond a limit.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, type FileHandle, open, rename, rm, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import * as Effect from "effect/Effect";
import { isDiskFull, writing } from "./DiskFull.ts";
import { codeOf } from "../runtime/ErrorCode.ts";
import { removeFolder } from "../runtime/OwnedFolder.ts";
import type { RunFolder } from "./RunFolder.ts";

/** A link is an error (ELOOP), and opening a pipe without a writer does not block. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Never replaces or follows anything: in a new folder of a program there is nothing. */
const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

const FILE_MODE = 0o600;

/** Only names in a folder itself: `O_NOFOLLOW` applies to the last part of a path. */
const within = (folder: string, name: string): string => {
  if (name !== basename(name) || name === "" || name === "." || name === "..")
    throw new Error(`${JSON.stringify(name)} is not a file name`);
  return join(folder, name);
};

/** A file of the server's own folder. */
export interface KeptFile {
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Why a file is not read. `unusable`: no regular file, with other names, or not readable. */
type Refusal = "missing" | "unusable" | "too_large";

/** Uses an open regular file of at most `maxBytes`. */
const withRegularFile = async <A>(
  path: string,
  maxBytes: number,
  use: (file: FileHandle, sizeBytes: number) => Promise<A>
): Promise<A | Refusal> => {
  let file: FileHandle;
  try {
    file = await open(path, READ_FLAGS);
  } catch (cause) {
    return codeOf(cause) === "ENOENT" ? "missing" : "unusable";
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) return "unusable";
    return found.size > maxBytes ? "too_large" : await use(file, found.size);
  } finally {
    await file.close();
  }
};

/** From `startByte` at most `sizeBytes`, even if the file is growing; fewer if it became shorter. */
const readFrom = async (file: FileHandle, sizeBytes: number, startByte = 0): Promise<Buffer> => {
  const bytes = Buffer.alloc(sizeBytes);
  let length = 0;
  while (length < sizeBytes) {
    const { bytesRead } = await file.read(bytes, length, sizeBytes - length, startByte + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

/** The whole file, or why it is not read. */
export const readOutput = (folder: string, name: string, maxBytes: number): Effect.Effect<Buffer | Refusal> =>
  Effect.promise(() => withRegularFile(within(folder, name), maxBytes, readFrom));

/** A part of a file of the server's own folder, or all; shorter at its end, null if it cannot be read. */
export const readKept = (path: string, maxBytes: number, startByte = 0): Effect.Effect<Buffer | null> =>
  Effect.promise(async () => {
    const read = (file: FileHandle, sizeBytes: number) =>
      readFrom(file, Math.max(0, Math.min(sizeBytes - startByte, maxBytes)), startByte);
    const bytes = await withRegularFile(path, Number.POSITIVE_INFINITY, read);
    return typeof bytes === "string" ? null : bytes;
  });

/** Size in bytes; null if it is no regular file. */
export const keptSize = (path: string): Effect.Effect<number | null> =>
  Effect.promise(async () => {
    const size = await withRegularFile(path, Number.POSITIVE_INFINITY, (_file, bytes) =>
      Promise.resolve(bytes)
    );
    return typeof size === "string" ? null : size;
  });

/** Moves whatever has this name, without opening it; false if nothing can be moved. */
const moved = async (source: string, target: string): Promise<boolean> => {
  try {
    await rename(source, target);
    return true;
  } catch (cause) {
    if (isDiskFull(cause)) throw cause;
    return false;
  }
};

/** Also takes the modes from a file that a program could make executable or set-user-id. */
const checked = (path: string, maxBytes: number): Promise<number | Refusal> =>
  withRegularFile(path, maxBytes, async (file, sizeBytes) => {
    const { nlink } = await file.stat();
    if (nlink !== 1) return "unusable";
    await file.chmod(FILE_MODE);
    return sizeBytes;
  });

/**
 * Moves a file that a program has written to the server's own folder, where it is checked: no program can replace it
 * there. Null if it is not a regular file of at most `maxBytes` without other names.
 */
export const takeOutput = (
  folder: string,
  name: string,
  run: RunFolder,
  maxBytes: number
): Effect.Effect<KeptFile | null> =>
  writing(async () => {
    const arriving = join(run.path, `.${randomUUID()}`);
    const path = within(run.path, name);
    if (!(await moved(within(folder, name), arriving))) return null;
    const sizeBytes = await checked(arriving, maxBytes);
    if (typeof sizeBytes === "string") {
      await unlink(arriving).catch(() => removeFolder(arriving));
      return null;
    }
    await rename(arriving, path);
    return { path, sizeBytes };
  });

const writeNew = async (path: string, content: string | Uint8Array, mode: number): Promise<void> => {
  const file = await open(path, CREATE_FLAGS, mode);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
};

/** Writes a file to the server's own folder, instead of an earlier one of that name. */
export const keepFile = (
  run: RunFolder,
  name: string,
  content: string | Uint8Array
): Effect.Effect<KeptFile> =>
  writing(async () => {
    const path = within(run.path, name);
    await rm(path, { force: true });
    await writeNew(path, content, FILE_MODE);
    return { path, sizeBytes: Buffer.byteLength(content) };
  });

/** Another name for a file of the server's own folder, with the same content. */
export const copyKept = (run: RunFolder, name: string, copy: string): Effect.Effect<void> =>
  writing(() => copyFile(within(run.path, name), within(run.path, copy)));

/** Moves a file of the server's own folder to another one of the run. */
export const moveKept = (
  from: RunFolder,
  name: string,
  to: RunFolder,
  newName: string
): Effect.Effect<void> => writing(() => rename(within(from.path, name), within(to.path, newName)));

export const dropKept = (path: string): Effect.Effect<void> =>
  Effect.promise(() => rm(path, { force: true }));

/** Writes an input of a program to its new folder, before it starts. */
export const writeInput = (
  folder: string,
  name: string,
  content: string | Uint8Array,
  mode: 0o600 | 0o700 = FILE_MODE
): Effect.Effect<string> =>
  writing(async () => {
    const path = within(folder, name);
    await writeNew(path, content, mode);
    return path;
  });
