/**
 * Fetches comments.json with a separate yt-dlp request during the downloads, because extractors read comments only
 * while extracting. Tests: sources.test.ts, MediaDownloader.test.ts.
 */
import type { Failed } from "@winnow/core/domain/source/Failed";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { idOf, lineOf, textOf } from "../yt-dlp/InfoDict.ts";
import { COMMENTS_FILE } from "@winnow/core/domain/result/ArtifactName";
import * as Effect from "effect/Effect";
import { askAgain, failureOfExtractor } from "../inspect/lookups.ts";
import { failed } from "../failures/classify.ts";
import { type FetchContext, EMPTY_PART, type Part, isRequested } from "./FetchContext.ts";

// Converts yt-dlp's comments to our format. Pure.

export interface Comment {
  readonly id: string;
  readonly author: string | null;
  readonly text: string;
  readonly likeCount: number | null;
  /** Unix seconds. */
  readonly timestamp: number | null;
  /** Null for a top-level comment. */
  readonly parentId: string | null;
}

const integer = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? Math.round(value) : null;

/** Newest first, at most `max`; entries without text are dropped, and all but the first of an id. */
export const readComments = (raw: unknown, max: number): ReadonlyArray<Comment> => {
  const comments = (Array.isArray(raw) ? raw : []).filter(isJsonObject).flatMap((comment, index) => {
    const text = textOf(comment["text"]);
    if (text === null) return [];
    const parent = idOf(comment["parent"]);
    return [
      {
        id: idOf(comment["id"]) ?? String(index + 1),
        author: lineOf(comment["author"]),
        text,
        likeCount: integer(comment["like_count"]),
        timestamp: integer(comment["timestamp"]),
        parentId: parent === "root" ? null : parent
      }
    ];
  });
  const byId = new Map(comments.toReversed().map((comment) => [comment.id, comment]));
  const once = comments.filter((comment) => byId.get(comment.id) === comment);
  return once.toSorted((one, other) => (other.timestamp ?? 0) - (one.timestamp ?? 0)).slice(0, max);
};

/** The page of a video whose media is available. */
const GONE = failed("bot_blocked");

/**
 * The comments of the separate request. If some look-ups were rejected and there are no comments, the result is
 * inconclusive.
 */
const ask = (context: FetchContext, url: string): Effect.Effect<ReadonlyArray<Comment>, Failed> =>
  context.ytDlp.comments(url, context.place).pipe(
    Effect.mapError(({ reason }) => failed(reason === "timeout" ? reason : "internal")),
    Effect.flatMap(
      Effect.fnUntraced(function* (answer) {
        if (!answer.ok) return yield* (yield* failureOfExtractor(answer)) ?? GONE;
        const { info, refused } = answer;
        const comments = readComments(
          isJsonObject(info) ? info["comments"] : null,
          context.limits.commentsMax
        );
        const turnedDown =
          comments.length > 0 || refused?.comments === undefined
            ? null
            : yield* failureOfExtractor(refused.comments);
        return turnedDown === null ? comments : yield* turnedDown;
      })
    )
  );

/** The time limit has passed. */
const isTooLate = ({ reason }: Failed): boolean => reason === "timeout";

/** `url` is null if no extractor supports comments there. */
export const fetchComments = Effect.fn("MediaDownloader.fetchComments")(function* (
  context: FetchContext,
  url: string | null
): Effect.fn.Return<Part> {
  if (url === null || !isRequested(context, "comments")) return EMPTY_PART;
  const answer = yield* Effect.result(askAgain(ask(context, url), context.limits, null, isTooLate));
  if (answer._tag === "Failure") {
    return { ...EMPTY_PART, failedLookups: { comments: answer.failure } };
  }
  const comments = answer.success;
  if (comments.length === 0) return EMPTY_PART;
  const text = `${JSON.stringify(comments, null, 1)}\n`;
  return { ...EMPTY_PART, files: [COMMENTS_FILE], texts: new Map([[COMMENTS_FILE, text]]) };
});
