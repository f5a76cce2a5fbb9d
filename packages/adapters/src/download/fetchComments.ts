/**
 * comments.json, by a second look beside the downloads: extractors read comments only while they extract.
 */
import { isRecord } from "../programs/ProgramOutput.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { COMMENTS_FILE } from "@winnow/core/domain/ArtifactName";
import * as Effect from "effect/Effect";
import { type Comment, readComments } from "./comments.ts";
import { askAgain, failedLookup, type LookupRefused, refusedByExtractor } from "./lookups.ts";
import { type FetchSession, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";

/** The page of a video whose media is there. */
const GONE: LookupRefused = { reason: "bot_blocked", waitMs: null };

const UNAVAILABLE: Part = { ...NOTHING_FETCHED, unavailable: ["comments"] };

/** The second look's comments. An extractor that was refused some and has none to show says nothing of them. */
const ask = (session: FetchSession, url: string): Effect.Effect<ReadonlyArray<Comment>, LookupRefused> =>
  session.ytDlp.comments(url, session.place).pipe(
    Effect.mapError(({ reason }): LookupRefused => ({
      reason: reason === "timeout" ? "timeout" : "internal",
      // Its time is up once: there is none for a second try.
      waitMs: reason === "timeout" ? Number.POSITIVE_INFINITY : null
    })),
    Effect.flatMap(
      Effect.fnUntraced(function* (answer) {
        if (!answer.ok) return yield* Effect.fail((yield* refusedByExtractor(answer)) ?? GONE);
        const { info, refused } = answer;
        const comments = readComments(isRecord(info) ? info["comments"] : null, session.limits.commentsMax);
        const turnedDown =
          comments.length > 0 || refused?.comments === undefined
            ? null
            : yield* refusedByExtractor(refused.comments);
        return turnedDown === null ? comments : yield* Effect.fail(turnedDown);
      })
    )
  );

/** `url` is null where no extractor knows the comments. */
export const fetchComments = Effect.fn("MediaDownloader.fetchComments")(function* (
  session: FetchSession,
  url: string | null
): Effect.fn.Return<Part> {
  if (!wants(session, "comments")) return NOTHING_FETCHED;
  if (url === null) return UNAVAILABLE;
  const answer = yield* Effect.result(askAgain(ask(session, url), session.limits));
  if (answer._tag === "Failure") {
    return { ...UNAVAILABLE, failedLookups: [failedLookup("comments", answer.failure)] };
  }
  const comments = answer.success;
  if (comments.length === 0) return UNAVAILABLE;
  const text = `${JSON.stringify(comments, null, 1)}\n`;
  yield* Effect.promise(() => writeFile(join(session.place.folder, COMMENTS_FILE), text, { mode: 0o600 }));
  return { ...NOTHING_FETCHED, files: [COMMENTS_FILE] };
});
