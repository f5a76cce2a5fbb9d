/**
 * File systems for a single process, in a mount namespace that ends with it.
 */
import { spawnSync } from "node:child_process";

/** Root may mount; other users may in a user namespace, if the system allows it. */
const UNSHARE = process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "-rm"];

const fillWith = (bytes: number): string =>
  bytes === 0 ? "" : `head -c ${bytes} /dev/zero 2>/dev/null > "$0/filler";`;

/**
 * A command prefix that mounts a file system in memory at the folder, and then executes the command.
 *
 * @param options of `mount`, such as `size=24m`
 * @param fill number of bytes to write to it first; if they do not fit, it is full
 */
export const onOwnDisk = (folder: string, options: string, fill = 0): ReadonlyArray<string> => [
  ...UNSHARE,
  "sh",
  "-c",
  `mount -t tmpfs -o ${options} none "$0"; ${fillWith(fill)} exec "$@"`,
  folder
];

export const canMount = (): boolean => {
  const [program = "", ...args] = [...UNSHARE, "sh", "-c", "mount -t tmpfs none /mnt"];
  const isPossible = spawnSync(program, args).status === 0;
  if (!isPossible) console.warn("SKIPPED: disks, because this system lets nobody here mount a tmpfs");
  return isPossible;
};
