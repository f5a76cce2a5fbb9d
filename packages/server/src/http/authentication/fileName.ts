/** The file name in a request's path. */
import { isSafeFileName } from "@winnow/core/domain/result/ArtifactName";

/** From the raw path, not decoded by a router: `..%2f` must stay visible. Null if it is not a valid file name. */
export const fileNameIn = (url: string): string | null => {
  const sent = /\/extractions\/[^/?#]+\/files\/([^?#]*)/u.exec(url)?.[1] ?? "";
  try {
    const name = decodeURIComponent(sent);
    return isSafeFileName(name) ? name : null;
  } catch {
    return null;
  }
};
