/**
 * comments.json, by a second look beside the downloads: extractors read comments only while they extract.
 */
import { isRecord } from "../programs/ProgramOutput.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { COMMENTS_FILE } from "@winnow/core/domain/ArtifactName";
import type { FailureReason } from "@winnow/core/domain/Failure";
import * as Effect from "effect/Effect";
import { classify, failureOf } from "./classify.ts";
import { readComments } from "./comments.ts";
import { askAgain, failedLookup, type LookupRefused } from "./lookups.ts";
import { type FetchSession, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";

const UNAVAILABLE: Part = { ...NOTHING_FETCHED, unavailable: ["comments"] };

/** Reasons that a later run may not meet; the media itself is there, or there would be no fetch. */
const RETRYABLE: ReadonlySet<FailureReason> = new Set([
  "rate_limited",
  "bot_blocked",
  "timeout",
  "unreachable",
  "internal"
]);

/** The second look's info. Whatever turns it down is no word about comments. */
const ask = (session: FetchSession, url: string): Effect.Effect<unknown, LookupRefused> =>
  session.ytDlp.comments(url, session.place).pipe(
    Effect.mapError(({ reason }): LookupRefused => ({
      reason: reason === "timeout" ? "timeout" : "internal",
      // Its time is up once: there is none for a second try.
      waitMs: reason === "timeout" ? Number.POSITIVE_INFINITY : null
    })),
    Effect.flatMap((answer) => {
      if (answer.ok) return Effect.succeed(answer.info);
      const { reason } = failureOf(classify(answer));
      const told = reason === "host_not_public" || !RETRYABLE.has(reason) ? "bot_blocked" : reason;
      return Effect.fail({ reason: told, waitMs: null });
    })
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
  const info = answer.success;
  const comments = readComments(isRecord(info) ? info["comments"] : null, session.limits.commentsMax);
  if (comments.length === 0) return UNAVAILABLE;
  const text = `${JSON.stringify(comments, null, 1)}\n`;
  yield* Effect.promise(() => writeFile(join(session.place.folder, COMMENTS_FILE), text, { mode: 0o600 }));
  return { ...NOTHING_FETCHED, files: [COMMENTS_FILE] };
});
