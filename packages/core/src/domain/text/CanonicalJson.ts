/**
 * One canonical text per JSON value (after RFC 8785): members sorted by UTF-16 code units, no white space.
 *
 * Uses an explicit stack, because a request body may nest deeper than the call stack allows.
 */
import { createHash } from "node:crypto";

/** Finished text, or an object or array still to be written. */
type Piece = string | object;

const pieceOf = (value: unknown): Piece =>
  typeof value === "object" && value !== null ? value : (JSON.stringify(value) ?? "null");

/** The parts of an object or array, one level deep. */
const pieces = (value: object): ReadonlyArray<Piece> => {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown, index) => [index === 0 ? "[" : ",", pieceOf(item)]);
    return items.length === 0 ? ["[]"] : [...items, "]"];
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const written = members
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([key, member], index) => [
      `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`,
      pieceOf(member)
    ]);
  return written.length === 0 ? ["{}"] : [...written, "}"];
};

/** `canonicalJson({ b: 1, a: [true] })` is `{"a":[true],"b":1}`. Undefined members are left out. */
export const canonicalJson = (value: unknown): string => {
  const written: Array<string> = [];
  const waiting: Array<Piece> = [pieceOf(value)];
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    if (typeof piece === "string") written.push(piece);
    else for (const next of pieces(piece).toReversed()) waiting.push(next);
  }
  return written.join("");
};

/** Hex SHA-256 of the canonical text. */
export const canonicalDigest = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");
