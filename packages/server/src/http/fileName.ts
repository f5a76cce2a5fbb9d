/**
 * The name of a file in the address of a request.
 */
import { isSafeFileName } from "@winnow/core/domain/ArtifactName";

/** As it was sent, not as a router reads it: `..%2f` must stay visible. Null when it is not a file name. */
export const fileNameIn = (url: string): string | null => {
  const sent = /\/extractions\/[^/?#]+\/files\/([^?#]*)/u.exec(url)?.[1] ?? "";
  try {
    const name = decodeURIComponent(sent);
    return isSafeFileName(name) ? name : null;
  } catch {
    return null;
  }
};
