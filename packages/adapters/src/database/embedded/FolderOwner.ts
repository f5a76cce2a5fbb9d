/**
 * Who owns a folder: the process that holds the lock of its file `owner` (isolation/runtime/FileLock). Only the owner changes
 * what is in the folder, also while its database server is down. What the file says is for messages, and for commands
 * that use the owner's server.
 */
import { readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { lockFile } from "@winnow/isolation/runtime/FileLock";

const FolderOwner = Schema.Struct({
  pid: Schema.Number,
  /** A container's is its id by default. */
  host: Schema.String,
  /** Of its addresses on loopback; empty on systems without namespaces. */
  network: Schema.String
});

/** A process, as it sees itself: elsewhere its id may be that of another one. */
export type FolderOwner = typeof FolderOwner.Type;

const networkOf = (): string => {
  try {
    return readlinkSync("/proc/self/ns/net");
  } catch {
    return "";
  }
};

const thisProcess = (): FolderOwner => ({ pid: process.pid, host: hostname(), network: networkOf() });

export const sharesLoopback = ({ network }: FolderOwner): boolean => network === networkOf();

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(FolderOwner));

/** Leaves the folder to the next one, or its owner, which may be this process; null if it is just becoming it. */
export type Taken = { readonly leave: () => Promise<void> } | { readonly owner: FolderOwner | null };

export const takeFolder = async (folder: string): Promise<Taken> => {
  const path = join(folder, "owner");
  const file = await lockFile(path);
  if (file === null) return { owner: Option.getOrNull(decode(await readFile(path, "utf8"))) };
  const leave = () => file.truncate().finally(() => file.close());
  try {
    await file.truncate();
    await file.write(JSON.stringify(thisProcess()), 0);
  } catch (cause) {
    await leave();
    throw cause;
  }
  return { leave };
};
