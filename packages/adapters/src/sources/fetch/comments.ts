/** Converts yt-dlp's comments to our format. Pure. */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { lineOf, textOf } from "../yt-dlp/InfoDict.ts";

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

const idOf = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? lineOf(String(value)) : null;

/** Newest first, at most `max`; entries without text are dropped. */
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
  return comments.toSorted((one, other) => (other.timestamp ?? 0) - (one.timestamp ?? 0)).slice(0, max);
};
