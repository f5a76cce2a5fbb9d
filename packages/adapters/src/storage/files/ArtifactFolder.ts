/** Paths under the store's folder, and the check that a path stays inside it. */
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";

/** Incoming files and outgoing folders; ids cannot start with a dot. */
export const TRANSIT_FOLDER = ".transit";

/**
 * False if a folder on the path is missing or a symbolic link. `path` is an artifact's path under a root that is a
 * real path.
 */
export const isInPlace = async (path: string): Promise<boolean> => {
  const folder = dirname(path);
  return (await realpath(folder).catch(toleratingMissing)) === folder;
};

/** For `.catch`: returns undefined if the file or folder does not exist. */
export const toleratingMissing = (cause: unknown): undefined => {
  if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
    return;
  throw cause;
};
