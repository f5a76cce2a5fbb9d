/**
 * The path of an artifact in any store: `extraction/attempt/name`, relative, with slashes. Contains nothing with a
 * special meaning to a file system or object store. Tests: FileArtifacts.test.ts, BackupArchive.test.ts.
 */
import { artifactOf, SECTIONS_FILE } from "@winnow/core/domain/result/ArtifactName";
import type { ArtifactOwner } from "@winnow/core/domain/run/Extraction";
import type { ArtifactKey } from "@winnow/core/ports/ArtifactStore";

/** The form of ids; never starts with a dot. */
const EXTRACTION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/u;
/** ASCII only: file systems differ on alternative spellings of a name and on long names. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/u;

/** Null for an owner that cannot have artifacts. */
export const attemptPath = ({ extractionId, attempt }: ArtifactOwner): string | null =>
  EXTRACTION_ID.test(extractionId) && Number.isSafeInteger(attempt) && attempt >= 0
    ? `${extractionId}/${attempt}`
    : null;

/** Null for a key that cannot belong to an artifact. */
export const artifactPath = (key: ArtifactKey): string | null => {
  const attempt = attemptPath(key);
  return attempt !== null && FILE_NAME.test(key.name) ? `${attempt}/${key.name}` : null;
};

/** Whether a path is that of an artifact which a run can have, or of the sections beside them. */
export const isArtifactPath = (path: string): boolean => {
  const [extractionId = "", attempt, name = ""] = path.split("/");
  const isKnown = artifactOf(name) !== null || name === SECTIONS_FILE;
  return isKnown && artifactPath({ extractionId, attempt: Number(attempt), name }) === path;
};
