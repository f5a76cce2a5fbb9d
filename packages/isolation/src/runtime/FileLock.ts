/**
 * Locks of files that the kernel holds: it gives one back when the last process that has the open file ends, however it
 * ends. They count in every container of a kernel, whatever it shows of processes and host names. Tests: OwnedFolder.test.ts, adapters'
 * FolderOwner.test.ts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { delimiter, dirname } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "./ErrorCode.ts";

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Of macOS and the BSDs, where opening also locks. */
const O_EXLOCK = 0x20;
const LOCKS_BY_OPENING = ["darwin", "freebsd", "openbsd"].includes(process.platform);

/**
 * Locks the open file for this process, which shares it with the program: flock(1) of util-linux or BusyBox, which
 * every distribution has.
 */
const flock = async (file: FileHandle, path: string): Promise<boolean> => {
  const child = spawn("flock", ["-n", "3"], {
    env: { PATH: [process.env["PATH"] || [], "/usr/bin", "/bin"].flat().join(delimiter), LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe", file.fd]
  });
  const ended = once(child, "exit").then(
    ([exitCode]) => ({ exitCode: exitCode as number | null, problem: "" }),
    () => ({ exitCode: null, problem: "flock was not found; install it with: apt-get install -y util-linux" })
  );
  const output = child.stderr === null ? "" : await text(child.stderr).catch(() => "");
  const { exitCode, problem } = await ended;
  if (exitCode === 0 || exitCode === 1) return exitCode === 0;
  throw new Error(`${path} could not be locked: ${problem || output.trim()}`);
};

/** Root may write what belongs to a plain user, who must be able to write it again: the file belongs to its folder's. */
export const giveToFolder = async (file: FileHandle, path: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await file.chown(uid, gid);
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

/** Poll interval of a lock that others hold for milliseconds. */
const POLL_MS = 20;

/** Runs while it has the lock, for which it waits. */
export const withLock = async <A>(path: string, run: () => A): Promise<A> => {
  for (;;) {
    const file = await lockFile(path);
    if (file === null) await sleep(POLL_MS);
    else {
      try {
        return run();
      } finally {
        await file.close();
      }
    }
  }
};
