/**
 * One text for one JSON value (after RFC 8785): members sorted by UTF-16 code units, no white space.
 *
 * Keeps its own stack: a request body may nest deeper than calls can.
 */
import { createHash } from "node:crypto";

/** Text that is ready, or a value still to be written. */
type Piece = string | { readonly value: unknown };

/** What a value is written as, one level deep. */
const pieces = (value: unknown): ReadonlyArray<Piece> => {
  if (Array.isArray(value)) {
    return [
      "[",
      ...value.flatMap((item, index): Array<Piece> => [index === 0 ? "" : ",", { value: item }]),
      "]"
    ];
  }
  if (typeof value !== "object" || value === null) return [JSON.stringify(value) ?? "null"];
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([key, member], index): Array<Piece> => [
      `${index === 0 ? "" : ","}${JSON.stringify(key)}:`,
      { value: member }
    ]);
  return ["{", ...members, "}"];
};

/** `canonicalJson({ b: 1, a: [true] })` is `{"a":[true],"b":1}`. Undefined members are left out. */
export const canonicalJson = (value: unknown): string => {
  const written: Array<string> = [];
  const waiting: Array<Piece> = [{ value }];
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    if (typeof piece === "string") written.push(piece);
    else for (const next of pieces(piece.value).toReversed()) waiting.push(next);
  }
  return written.join("");
};

/** Hex SHA-256 of the canonical text. */
export const canonicalDigest = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");
