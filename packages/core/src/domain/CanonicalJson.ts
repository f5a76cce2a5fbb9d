/**
 * One text for one JSON value (after RFC 8785): members sorted by UTF-16 code units, no white space.
 */
import { createHash } from "node:crypto";

/** `canonicalJson({ b: 1, a: [true] })` is `{"a":[true],"b":1}`. Undefined members are left out. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
};

/** Hex SHA-256 of the canonical text. */
export const canonicalDigest = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");
