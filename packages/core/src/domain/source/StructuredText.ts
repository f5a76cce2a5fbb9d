/**
 * A page's own structured data as text that the model reads and quotes: one segment for each value, with its place
 * in `metadata.json`.
 */
import type { InputText, TextSegment } from "../text/InputText.ts";
import { pointerBelow } from "../text/Json.ts";
import type { StructuredThing } from "./StructuredData.ts";

/** Maximum characters of all values: a recipe has some thousand, and a page may state dozens of things. */
export const STRUCTURED_CHARS_MAX = 40_000;

/** Maximum values; each has a mark of its own in the model's input. */
export const STRUCTURED_VALUES_MAX = 1_000;

/** What is about the data rather than in it: its syntax, the precision of a date. */
const LEFT_OUT: ReadonlySet<string> = new Set(["origin", "precision"]);

/** Files of pictures and players: the first is enough. */
const FIRST_ONLY: ReadonlySet<string> = new Set(["images"]);

interface ValueAt {
  readonly pointer: string;
  readonly value: unknown;
}

function* valuesIn({
  pointer,
  value
}: ValueAt): Generator<{ readonly pointer: string; readonly text: string }> {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    const text = String(value).trim();
    if (text !== "") yield { pointer, text };
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (LEFT_OUT.has(name)) continue;
    const only = FIRST_ONLY.has(name) && Array.isArray(inner) ? inner.slice(0, 1) : inner;
    yield* valuesIn({ pointer: pointerBelow(pointer, name), value: only });
  }
}

/** Null if there are none. Values beyond the limits are left out, the one at the limit is cut. */
export const structuredText = (things: ReadonlyArray<StructuredThing>): InputText | null => {
  const segments: Array<TextSegment> = [];
  let room = STRUCTURED_CHARS_MAX;
  for (const { pointer, text } of valuesIn({ pointer: "/structured", value: things })) {
    if (room <= 0 || segments.length === STRUCTURED_VALUES_MAX) break;
    const kept = text.length <= room ? text : text.slice(0, room).toWellFormed();
    segments.push({ text: kept, startSeconds: null, endSeconds: null, author: null, pointer });
    room -= text.length;
  }
  return segments.length === 0 ? null : { source: "structured", segments };
};
