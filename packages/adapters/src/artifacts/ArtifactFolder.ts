/**
 * Where an artifact lies under the store's folder: `extraction/attempt/name`. Nothing outside, ever.
 */
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ArtifactOwner } from "@winnow/core/domain/Extraction";
import type { ArtifactKey } from "@winnow/core/ports/ArtifactStore";

/** Files on their way in and folders on their way out; ids cannot begin with a dot. */
export const TRANSIT_FOLDER = ".transit";

/** What our ids look like, and nothing that a file system gives a meaning. */
const EXTRACTION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/u;
/** Letters without accents: two spellings of one name, or a long one, differ between file systems. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/u;

/** Null for an id that this store never gives a folder. */
export const extractionFolder = (root: string, extractionId: string): string | null =>
  EXTRACTION_ID.test(extractionId) ? join(root, extractionId) : null;

export const attemptFolder = (root: string, { extractionId, attempt }: ArtifactOwner): string | null => {
  const folder = extractionFolder(root, extractionId);
  return folder !== null && Number.isSafeInteger(attempt) && attempt >= 0
    ? join(folder, String(attempt))
    : null;
};

/** Null for a key that this store never keeps a file under. */
export const artifactPath = (root: string, key: ArtifactKey): string | null => {
  const folder = attemptFolder(root, key);
  return folder !== null && FILE_NAME.test(key.name) ? join(folder, key.name) : null;
};

/**
 * False when a folder on the way is a symbolic link that somebody else made, or missing. `path` is one of
 * the above, under a `root` that is a real path.
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
