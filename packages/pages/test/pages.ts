/** Small pages written for these tests. */
import type { PageReading } from "../src/facts/PageReading.ts";
import { readBytes } from "../src/ReadBytes.ts";

export const PAGE_URL = "https://site.test/posts/42";

const SENTENCES = [
  "The bakery on the corner opens at six, and by seven the queue reaches the bridge.",
  "Its owner learnt the trade from an aunt, who had learnt it on a ship.",
  "Flour comes from a mill two valleys away, salt from the coast, and water from the tap.",
  "Nobody in town agrees on which loaf is best, though everybody has an opinion."
];

/** Running text of some length, each paragraph different. */
export const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<p>Part ${index + 1}. ${SENTENCES.join(" ")}</p>`).join("\n");

export const page = (parts: { head?: string; body?: string; lang?: string }): string =>
  `<!doctype html><html lang="${parts.lang ?? "en"}"><head><meta charset="utf-8">${parts.head ?? ""}</head>` +
  `<body>${parts.body ?? ""}</body></html>`;

export const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${typeof value === "string" ? value : JSON.stringify(value)}</script>`;

export const og = (entries: ReadonlyArray<readonly [string, string]>): string =>
  entries.map(([key, content]) => `<meta property="og:${key}" content="${content}">`).join("");

/** Reads a page in this thread; throws if it is refused. */
export const read = async (
  html: string | Uint8Array,
  contentType = "text/html",
  url = PAGE_URL
): Promise<PageReading> => {
  const bytes = typeof html === "string" ? new TextEncoder().encode(html) : html;
  const outcome = await readBytes(bytes, { url, contentType });
  if ("refused" in outcome) throw new Error(`refused: ${outcome.refused}`);
  return outcome.reading;
};

export const readText = async (...given: Parameters<typeof read>) => (await read(...given)).text;

export const readMetadata = async (...given: Parameters<typeof read>) => (await read(...given)).metadata;
