/**
 * Where an artifact lies in any store: `extraction/attempt/name`, relative, with slashes. Made of nothing
 * that a file system or an object store gives a meaning.
 */
import type { ArtifactOwner } from "@winnow/core/domain/Extraction";
import type { ArtifactKey } from "@winnow/core/ports/ArtifactStore";

/** What our ids look like, and nothing that begins with a dot. */
const EXTRACTION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/u;
/** Letters without accents: two spellings of one name, or a long one, differ between file systems. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/u;

/** Null for an id that no artifact is ever kept under. */
export const extractionPath = (extractionId: string): string | null =>
  EXTRACTION_ID.test(extractionId) ? extractionId : null;

export const attemptPath = ({ extractionId, attempt }: ArtifactOwner): string | null => {
  const extraction = extractionPath(extractionId);
  return extraction !== null && Number.isSafeInteger(attempt) && attempt >= 0
    ? `${extraction}/${attempt}`
    : null;
};

/** Null for a key that no artifact is ever kept under. */
export const artifactPath = (key: ArtifactKey): string | null => {
  const attempt = attemptPath(key);
  return attempt !== null && FILE_NAME.test(key.name) ? `${attempt}/${key.name}` : null;
};
