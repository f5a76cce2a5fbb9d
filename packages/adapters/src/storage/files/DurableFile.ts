/** Steps that store a file under its name so that it survives a power failure, or leave nothing behind. Tests: FileArtifacts.test.ts. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "@winnow/isolation/runtime/ErrorCode";

/** Flushes the bytes to disk before the file gets its name. Returns the number of bytes. */
export const placeBytes = async (bytes: Uint8Array, target: string, transit: string): Promise<number> => {
  await placeThrough(transit, target, (temporary) =>
    withFile(temporary, "wx", async (file) => {
      await file.writeFile(bytes);
      await file.sync();
    })
  );
  return bytes.byteLength;
};

/**
 * Moves a plain file. Copies and removes it if it is on another device or has another hard link, through which the
 * stored file could be changed. Returns its size in bytes.
 */
export const placeFile = (source: string, target: string, transit: string): Promise<number> =>
  withFile(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK, async (file) => {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`FileArtifacts: ${source} is not a plain file`);
    if (found.nlink > 1 || !(await move(file, source, target))) {
      await placeThrough(transit, target, async (temporary) => {
        await copyFile(source, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        await syncPath(temporary);
      });
      await rm(source, { force: true });
    }
    return found.size;
  });

/** Creates the folders between `root` and `folder`, durably. */
export const makeFolder = async (root: string, folder: string): Promise<void> => {
  if ((await mkdir(folder, { recursive: true })) === undefined) return;
  for (let parent = dirname(folder); parent.length >= root.length; parent = dirname(parent)) {
    await syncPath(parent);
  }
};

/** A unique name in the transit folder. */
export const transitPath = (transit: string): string => join(transit, randomBytes(12).toString("hex"));

const placeThrough = async (
  transit: string,
  target: string,
  write: (temporary: string) => Promise<void>
): Promise<void> => {
  const temporary = transitPath(transit);
  try {
    await write(temporary);
    await rename(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
  await syncPath(dirname(target));
};

/** False if source and target are on different devices. */
const move = async (file: FileHandle, source: string, target: string): Promise<boolean> => {
  await file.sync();
  try {
    await rename(source, target);
  } catch (cause) {
    if (codeOf(cause) === "EXDEV") return false;
    throw cause;
  }
  await syncPath(dirname(target));
  return true;
};

const syncPath = (path: string): Promise<void> => withFile(path, constants.O_RDONLY, (file) => file.sync());

const withFile = async <A>(
  path: string,
  flags: string | number,
  use: (file: FileHandle) => Promise<A>
): Promise<A> => {
  const file = await open(path, flags, 0o600);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};
