/** Rows of results and their schema, for tests. */
import type { ResultRow } from "@winnow/client";

export const SCHEMA = {
  type: "object",
  properties: {
    topic: { type: "string" },
    price: { type: "integer" },
    // Not in the text: the stand-in for a model makes them up.
    mail: { type: "string", format: "email" },
    venue: {
      type: "object",
      properties: { city: { type: "string", enum: ["Lisbon", "Graz"] } },
      required: ["city"]
    }
  },
  required: ["topic", "price", "mail", "venue"]
};

/** Every second one has a value to check: its mail. */
export const rowOf = (index: number, more: Partial<ResultRow> = {}): ResultRow => ({
  extractionId: `ext_${index}`,
  url: `https://example.com/${index}`,
  title: `Talk ${index}`,
  completedAt: "2026-11-25T08:00:00.000Z",
  values: {
    topic: `Topic ${index}`,
    price: index,
    mail: index % 2 === 0 ? "a@example.com" : null,
    venue: null
  },
  evidence: { "/topic": [{ source: "page", quote: `Topic ${index}` }] },
  support: {
    "/topic": "quoted",
    "/price": "quoted",
    "/mail": index % 2 === 0 ? "unsupported" : "not_stated",
    "/venue": "not_stated"
  },
  corrections: {},
  ...more
});
