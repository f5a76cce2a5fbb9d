/** Range and conditional requests of one file that never changes (RFC 9110, sections 13 and 14). Pure. */
import { createHash } from "node:crypto";
import type { ArtifactKey, ByteRange } from "@winnow/core/ports/ArtifactStore";

/** Strong, because extraction, attempt and name determine the bytes. Quoted. */
export const etagOf = ({ extractionId, attempt, name }: ArtifactKey, sizeBytes: number): string => {
  const identity = JSON.stringify([extractionId, attempt, name, sizeBytes]);
  return `"${createHash("sha256").update(identity).digest("base64url").slice(0, 27)}"`;
};

/** Weak comparison (section 13.1.2); `*` matches any file. */
export const matchesEtag = (header: string, etag: string): boolean =>
  header
    .split(",")
    .map((part) => part.trim().replace(/^W\//u, ""))
    .some((part) => part === "*" || part === etag);

/**
 * Whether `If-Match` forbids an answer (section 13.1.1): strong comparison; `*` matches any file, and `etag` is null
 * for one without. Dates are not evaluated, because files have none.
 */
export const isRefused = (ifMatch: string | undefined, etag: string | null): boolean =>
  ifMatch !== undefined &&
  !ifMatch
    .split(",")
    .map((part) => part.trim())
    .some((part) => part === "*" || part === etag);

type RangeAnswer =
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Part"; readonly range: ByteRange }
  | { readonly _tag: "Unsatisfiable" };

const WHOLE: RangeAnswer = { _tag: "Whole" };
const UNSATISFIABLE: RangeAnswer = { _tag: "Unsatisfiable" };

const part = (start: number, end: number): RangeAnswer =>
  start > end ? UNSATISFIABLE : { _tag: "Part", range: { start, end } };

/**
 * Evaluates a Range header. Multiple ranges, other units and invalid values get the whole file, as the RFC allows;
 * so does an If-Range for another file.
 */
export const answerRange = (
  headers: { readonly range?: string | undefined; readonly "if-range"?: string | undefined },
  etag: string,
  sizeBytes: number
): RangeAnswer => {
  const ifRange = headers["if-range"];
  if (ifRange !== undefined && ifRange.trim() !== etag) return WHOLE;
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/iu.exec(headers.range?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return WHOLE;
  const last = sizeBytes - 1;
  if (from === "") {
    const length = Number(to);
    return length === 0 ? UNSATISFIABLE : part(Math.max(0, sizeBytes - length), last);
  }
  if (to !== "" && Number(to) < Number(from)) return WHOLE;
  return part(Number(from), to === "" ? last : Math.min(Number(to), last));
};
