/**
 * comments.json, by a second look beside the downloads: extractors read comments only while they extract.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { COMMENTS_FILE } from "@winnow/core/domain/ArtifactName";
import * as Effect from "effect/Effect";
import { readComments } from "./comments.ts";
import { type FetchSession, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";
import { isRecord } from "./InfoDict.ts";

const UNAVAILABLE: Part = { ...NOTHING_FETCHED, unavailable: ["comments"] };

/** `url` is null where no extractor knows the comments. */
export const fetchComments = Effect.fn("MediaDownloader.fetchComments")(function* (
  session: FetchSession,
  url: string | null
): Effect.fn.Return<Part> {
  if (!wants(session, "comments")) return NOTHING_FETCHED;
  if (url === null) return UNAVAILABLE;
  const answer = yield* Effect.result(session.ytDlp.comments(url, session.place));
  if (answer._tag === "Failure") {
    const late = answer.failure.reason === "timeout";
    return { ...UNAVAILABLE, warnings: late ? ["The comments could not be read in time."] : [] };
  }
  const info = answer.success.ok ? answer.success.info : null;
  const comments = readComments(isRecord(info) ? info["comments"] : null, session.limits.commentsMax);
  if (comments.length === 0) return UNAVAILABLE;
  const text = `${JSON.stringify(comments, null, 1)}\n`;
  yield* Effect.promise(() => writeFile(join(session.place.folder, COMMENTS_FILE), text, { mode: 0o600 }));
  return { ...NOTHING_FETCHED, files: [COMMENTS_FILE] };
});
