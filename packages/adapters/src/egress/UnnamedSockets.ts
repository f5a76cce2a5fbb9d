/** Removes socket folders of earlier versions, whose names do not contain their owner: `winnow-egress-XXXXXX`. */
import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

const NAMELESS = /^winnow-egress-[0-9A-Za-z]{6}$/u;

/** Whether nobody listens on the socket, because its process ended without removing it. */
const isAbandoned = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path });
    socket.once("connect", () => (socket.destroy(), resolve(false)));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  });

/** Removes folders that contain only a dead socket. */
export const sweepUnnamedSockets = async (parent: string, socketName: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!NAMELESS.test(name)) continue;
    const folder = join(parent, name);
    const entries = await readdir(folder).catch(() => []);
    const socket = join(folder, socketName);
    if (entries.length !== 1 || entries[0] !== socketName) continue;
    const isSocket = await lstat(socket).then(
      (found) => found.isSocket(),
      () => false
    );
    if (!isSocket || !(await isAbandoned(socket))) continue;
    await unlink(socket).then(
      () => rmdir(folder),
      () => undefined
    );
  }
};
