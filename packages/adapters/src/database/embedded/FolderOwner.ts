/**
 * Who owns a folder: the process named in its file `owner-NUMBER` with the highest number, until that process ends or
 * leaves. Only the owner changes what is in the folder, also while its database server is down.
 *
 * The next owner creates the next number, which only one can; a file is not removed before there is a higher one.
 */
import { randomBytes } from "node:crypto";
import { chmod, link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasOwnerEnded, ownPrefix } from "../../runtime/OwnedFolder.ts";
import { toleratingCodes } from "./EmbeddedPostgresFailed.ts";

const OWNER = /^owner-(\d+)$/u;

const numbersIn = async (folder: string): Promise<ReadonlyArray<number>> =>
  (await readdir(folder)).flatMap((name) => OWNER.exec(name)?.[1] ?? []).map(Number);

const fileOf = (folder: string, number: number): string => join(folder, `owner-${number}`);

/** Null if there is none; 0 stands for the time before the first one. */
const ownerOf = async (folder: string, number: number): Promise<number | null> => {
  const owner = await readFile(fileOf(folder, number), "utf8").catch(toleratingCodes("ENOENT"));
  // An owner on another host counts as ended, because a container gets a new name with each start.
  return owner !== undefined && hasOwnerEnded(owner) === false ? Number(owner.split("_")[2]) : null;
};

/** Leaves the folder to the next one, or the process id of its owner, which may be this process. */
export type Taken = { readonly leave: () => Promise<void> } | { readonly ownerPid: number };

export const takeFolder = async (folder: string): Promise<Taken> => {
  const mark = join(folder, `owner.${randomBytes(6).toString("hex")}`);
  await writeFile(mark, ownPrefix("owner"));
  // After root, a plain user may be the next one.
  await chmod(mark, 0o644);
  try {
    for (;;) {
      const last = Math.max(0, ...(await numbersIn(folder)));
      const ownerPid = await ownerOf(folder, last);
      if (ownerPid !== null) return { ownerPid };
      const file = fileOf(folder, last + 1);
      const isFirst = await link(mark, file).then(() => true, toleratingCodes("EEXIST"));
      if (isFirst !== true) continue;
      const others = (await numbersIn(folder)).filter((number) => number !== last + 1);
      const isLate = others.some((number) => number > last);
      // Others have had this number before, and higher ones since.
      if (isLate) await rm(file, { force: true });
      else {
        for (const number of others) await rm(fileOf(folder, number), { force: true });
        return { leave: () => writeFile(file, "") };
      }
    }
  } finally {
    await rm(mark, { force: true });
  }
};
