/**
 * An answer of a tool: one set of facts, given twice, because some hosts show a model the text alone and others
 * the structured content alone.
 */
import { fenced, NOTICE } from "./fence.ts";
import { CHARACTERS_MAX } from "./paging.ts";
import { errorText } from "./toolError.ts";

export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  /** A file that the host can read as a resource; `size` in bytes. */
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size: number;
    };

export interface ToolAnswer {
  readonly content: ReadonlyArray<ToolContent>;
  /** Absent of errors. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export type Facts = Readonly<Record<string, unknown>>;

const present = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null));

const line = ([name, value]: readonly [string, unknown]): string =>
  typeof value === "string"
    ? `${name}:${value.includes("\n") ? "\n" : " "}${value}`
    : `${name}: ${JSON.stringify(value)}`;

const lines = (facts: Facts): string => Object.entries(facts).map(line).join("\n");

/** `ours` are Winnow's own words and numbers; `theirs` hold what the source says. Absent and null ones are left out. */
export const answerOf = (
  ours: Facts,
  theirs: Facts = {},
  attached: ReadonlyArray<ToolContent> = []
): ToolAnswer => {
  const [own, strange] = [present(ours), present(theirs)];
  const hasStrange = Object.keys(strange).length > 0;
  const text = [lines(own), ...(hasStrange ? [fenced(lines(strange))] : [])].join("\n");
  return {
    content: [{ type: "text", text }, ...attached],
    structuredContent: { ...own, ...(hasStrange ? { notice: NOTICE } : {}), ...strange },
    isError: false
  };
};

const ERROR_CHARS_MAX = 2_000;

export const errorAnswer = (error: unknown): ToolAnswer => ({
  content: [{ type: "text", text: errorText(error).slice(0, ERROR_CHARS_MAX) }],
  isError: true
});

/** Of both contents as JSON, pictures aside. */
const charactersOf = ({ content, structuredContent }: ToolAnswer): number =>
  JSON.stringify(content.filter(({ type }) => type !== "image")).length +
  JSON.stringify(structuredContent ?? {}).length;

export const isFitting = (answer: ToolAnswer): boolean => charactersOf(answer) <= CHARACTERS_MAX - MARGIN;

/** What a transport wraps around it. */
const MARGIN = 500;

/** The first that fits, of candidates that get shorter. The last must. */
export const firstFitting = (candidates: Iterable<ToolAnswer>): ToolAnswer => {
  let last: ToolAnswer | undefined;
  for (const candidate of candidates) {
    last = candidate;
    if (isFitting(candidate)) return candidate;
  }
  return last ?? errorAnswer(undefined);
};
