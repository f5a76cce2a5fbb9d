/**
 * A custom Analyst without a model: a value is the text after its name and a colon.
 */
import type { AnalysisRequest } from "@winnow/core/ports/Analyst";
import type { PromiseAnalyst } from "@winnow/server";

/** Names come from the caller, so they are escaped in patterns. */
const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");

const analyse = ({ schema, texts }: AnalysisRequest) => {
  const text = texts.flatMap(({ segments }) => segments.map((segment) => segment.text)).join("\n");
  const properties = Object.entries((schema.properties ?? {}) as Record<string, { type?: string }>);
  const found = properties.flatMap(([name, { type }]) => {
    const [quote, value] = new RegExp(`\\b${literal(name)}: ([^.\\n]+)`, "iu").exec(text) ?? [];
    if (quote === undefined || value === undefined) return [];
    return [{ name, quote, value: type === "string" ? value : Number(value) }];
  });
  const isThere = found.length > 0;
  return {
    outcome: isThere ? ("ok" as const) : ("no_match" as const),
    verdictReason: isThere ? null : "The text names none of the fields.",
    extraction: isThere ? Object.fromEntries(found.map(({ name, value }) => [name, value])) : null,
    quotes: found.map(({ name, quote }) => ({ pointer: `/${name}`, quote })),
    confidence: null,
    unavailable: [],
    warnings: []
  };
};

export const analyst: PromiseAnalyst = {
  model: "names-and-colons", // part of the cache key: change it when the rules change
  analyse: async (request) => analyse(request),
  propose: async () => ({ name: "nothing", fields: [] })
};
