/** The server's log file: appended to by every server of the cluster, and rotated. */
import { constants } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { toleratingCodes } from "./EmbeddedPostgresFailed.ts";
import type { ServerPaths } from "./ServerPaths.ts";
import { isRoot } from "./ServerUser.ts";

/** An idle server writes a few hundred bytes a day; a larger log is moved to `server.log.1`. */
const LOG_MAX_BYTES = 10 * 1024 * 1024;
/** Maximum characters quoted in an error. */
const TAIL_MAX_BYTES = 2_000;

export interface ServerLog {
  readonly descriptor: number;
  /** The end of what was written since it was opened. */
  readonly tail: () => Promise<string>;
  readonly close: () => Promise<void>;
}

export const openServerLog = async (paths: ServerPaths): Promise<ServerLog> => {
  const grown = await stat(paths.log).catch(toleratingCodes("ENOENT"));
  if (grown !== undefined && grown.size > LOG_MAX_BYTES) await rename(paths.log, `${paths.log}.1`);
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const file = await open(paths.log, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR, 0o600);
  if (isRoot()) {
    // Root may start the server of a plain user, who must be able to start it again.
    const owner = await stat(paths.folder);
    await file.chown(owner.uid, owner.gid);
  }
  const startedAt = (await file.stat()).size;
  return {
    descriptor: file.fd,
    tail: () => readFrom(file, startedAt),
    close: () => file.close()
  };
};

const readFrom = async (file: FileHandle, start: number): Promise<string> => {
  const { size } = await file.stat();
  const from = Math.max(start, size - TAIL_MAX_BYTES);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
  return buffer.toString("utf8", 0, bytesRead).trim();
};
