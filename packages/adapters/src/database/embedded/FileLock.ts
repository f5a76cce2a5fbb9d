/**
 * Locks of files that the kernel holds: it gives one back when the last process that has the open file ends, however it
 * ends. They count in every container of a kernel, whatever it shows of processes and host names.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf, failed, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import { giveToFolder, run, spawnAs } from "./ServerUser.ts";

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Of macOS and the BSDs, where opening also locks. */
const O_EXLOCK = 0x20;
const LOCKS_BY_OPENING = ["darwin", "freebsd", "openbsd"].includes(process.platform);

/**
 * Locks the open file for this process, which shares it with the program: flock(1) of util-linux or BusyBox, which
 * every distribution has.
 */
const flock = async (file: FileHandle, path: string): Promise<boolean> => {
  const { exitCode, output } = await run("flock", ["-n", "3"], {
    ...spawnAs(null),
    stdio: ["ignore", "pipe", "pipe", file.fd]
  });
  if (exitCode === 0 || exitCode === 1) return exitCode === 0;
  throw failed(`${path} could not be locked: ${output.trim()}`, USE_YOUR_OWN);
};

/**
 * The file, created if missing and locked until it is closed here and in each program that inherits it; null if it is
 * locked. Rejects if it cannot be opened, or if nothing here can lock files.
 */
export const lockFile = async (path: string): Promise<FileHandle | null> => {
  const flags = O_RDWR | O_CREAT | O_NOFOLLOW | (LOCKS_BY_OPENING ? O_EXLOCK | O_NONBLOCK : 0);
  const file = await open(path, flags, 0o600).catch((cause: unknown) => {
    if (LOCKS_BY_OPENING && codeOf(cause) === "EAGAIN") return null;
    throw cause;
  });
  if (file === null) return null;
  let isLocked = false;
  try {
    await giveToFolder(file, path);
    isLocked = LOCKS_BY_OPENING || (await flock(file, path));
  } finally {
    if (!isLocked) await file.close();
  }
  return isLocked ? file : null;
};
