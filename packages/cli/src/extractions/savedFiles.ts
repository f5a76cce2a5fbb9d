/** Files of an extraction, saved to a folder; replaced only on request. Tests: accountCommands.test.ts. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Winnow } from "@winnow/client";
import { saveFile } from "@winnow/client/node";
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
export const checkAbsent = (folder: string, names: ReadonlyArray<string>, flag: string): void => {
  const taken = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (taken === undefined) return;
  throw new CliFailed(`${taken} exists: choose another folder with ${flag}, or pass --overwrite.`);
};

const unwritable = (path: string) => (error: unknown) => {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const isOfDisk = ["EACCES", "EEXIST", "ENOTDIR", "EROFS", "ENOSPC", "EPERM", "EISDIR"].includes(code);
  throw isOfDisk ? new CliFailed(`${path} cannot be written (${code}).`) : (error as Error);
};

export interface Task {
  readonly winnow: Winnow;
  readonly id: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Their paths by name; each is complete, or not there at all. */
export const saveAll = async (
  { winnow, id, folder, signal }: Task,
  files: ReadonlyArray<StoredFile>,
  show: (progress: Progress) => void
): Promise<Readonly<Record<string, string>>> => {
  await mkdir(folder, { recursive: true }).catch(unwritable(folder));
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const saved: Record<string, string> = {};
  let bytes = 0;
  for (const { name } of files) {
    const path = join(folder, basename(name));
    const onBytes = (count: number): void => {
      bytes += count;
      const percent = totalBytes === 0 ? null : (100 * bytes) / totalBytes;
      show({ phase: "downloading", step: name, percent, bytes, rung: null });
    };
    await saveFile(winnow.files, id, name, path, { signal, onBytes }).catch(unwritable(path));
    saved[name] = path;
  }
  return saved;
};
