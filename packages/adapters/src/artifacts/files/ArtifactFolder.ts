/**
 * Places under the store's folder, and whether a path leads there. Nothing outside, ever.
 */
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";

/** Files on their way in and folders on their way out; ids cannot begin with a dot. */
export const TRANSIT_FOLDER = ".transit";

/**
 * False when a folder on the way is a symbolic link that somebody else made, or missing. `path` is an
 * artifact's path under a root that is a real path.
 */
export const isInPlace = async (path: string): Promise<boolean> => {
  const folder = dirname(path);
  return (await realpath(folder).catch(toleratingMissing)) === folder;
};

/** For `.catch`: undefined when there is no such file or folder. */
export const toleratingMissing = (cause: unknown): undefined => {
  if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
    return;
  throw cause;
};
