/**
 * Fetches comments.json with a separate yt-dlp request during the downloads, because extractors read comments only
 * while extracting.
 */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { COMMENTS_FILE } from "@winnow/core/domain/result/ArtifactName";
import * as Effect from "effect/Effect";
import { type Comment, readComments } from "./comments.ts";
import { askAgain, failedLookup, type LookupFailure, failureOfExtractor } from "../inspect/lookups.ts";
import { type FetchContext, EMPTY_PART, type Part, isRequested } from "./FetchContext.ts";

/** The page of a video whose media is available. */
const GONE: LookupFailure = { reason: "bot_blocked", waitMs: null };

const UNAVAILABLE: Part = { ...EMPTY_PART, unavailable: ["comments"] };

/**
 * The comments of the separate request. If some look-ups were rejected and there are no comments, the result is
 * inconclusive.
 */
const ask = (context: FetchContext, url: string): Effect.Effect<ReadonlyArray<Comment>, LookupFailure> =>
  context.ytDlp.comments(url, context.place).pipe(
    Effect.mapError(({ reason }): LookupFailure => ({
      reason: reason === "timeout" ? "timeout" : "internal",
      // The time limit has passed, so there is no retry.
      waitMs: reason === "timeout" ? Number.POSITIVE_INFINITY : null
    })),
    Effect.flatMap(
      Effect.fnUntraced(function* (answer) {
        if (!answer.ok) return yield* Effect.fail((yield* failureOfExtractor(answer)) ?? GONE);
        const { info, refused } = answer;
        const comments = readComments(
          isJsonObject(info) ? info["comments"] : null,
          context.limits.commentsMax
        );
        const turnedDown =
          comments.length > 0 || refused?.comments === undefined
            ? null
            : yield* failureOfExtractor(refused.comments);
        return turnedDown === null ? comments : yield* Effect.fail(turnedDown);
      })
    )
  );

/** `url` is null if no extractor supports comments there. */
export const fetchComments = Effect.fn("MediaDownloader.fetchComments")(function* (
  context: FetchContext,
  url: string | null
): Effect.fn.Return<Part> {
  if (!isRequested(context, "comments")) return EMPTY_PART;
  if (url === null) return UNAVAILABLE;
  const answer = yield* Effect.result(askAgain(ask(context, url), context.limits));
  if (answer._tag === "Failure") {
    return { ...UNAVAILABLE, failedLookups: [failedLookup("comments", answer.failure)] };
  }
  const comments = answer.success;
  if (comments.length === 0) return UNAVAILABLE;
  const text = `${JSON.stringify(comments, null, 1)}\n`;
  return { ...EMPTY_PART, files: [COMMENTS_FILE], texts: new Map([[COMMENTS_FILE, text]]) };
});
