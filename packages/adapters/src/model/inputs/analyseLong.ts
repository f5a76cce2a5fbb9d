/**
 * Reads inputs of any length: in one call if they fit, else section by section, with the answers merged and
 * reconciled in a final call. A warning mentions content that was not read; nothing is dropped silently.
 */
import * as Effect from "effect/Effect";
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { leavesOf, valueAt } from "@winnow/core/domain/text/Json";
import { type InputPart, type TextPart, textItems, type PreparedInputs } from "./InputItems.ts";
import type { InputTooLong } from "../../model-server/LlmFailures.ts";
import { type Answer, EMPTY_ANSWER, floored, inexactAt } from "./mergeAnswers.ts";
import {
  type ContextBudget,
  contextBudget,
  SECTIONS_AT_ONCE,
  SECTIONS_MAX,
  inReadingOrder,
  type Section,
  splitInputs,
  tokensOf
} from "./splitInputs.ts";
import { renderTexts } from "./renderTexts.ts";
import { textTokens } from "../provider/TokenCount.ts";

/** The content of a call. */
export type AnalysisStep =
  | { readonly _tag: "Whole" }
  /** One of several, `number` from 1: uses SectionSchema, which requires nothing. */
  | { readonly _tag: "Section"; readonly number: number; readonly count: number }
  /** The parts are the answers of the sections, not content; the answer must fit the original schema. */
  | { readonly _tag: "Reconciliation"; readonly count: number; readonly unread: UnreadNote };

/** A sentence on how much of the content was not read; null if all of it was. */
export type UnreadNote = string | null;

export interface LongAnalysis<E, R = never> {
  readonly contextTokens: number;
  /** Tokens of instructions, schema and answer, besides the inputs. */
  readonly overheadTokens: number;
  /** One call, with its repair turn; the extraction fits the schema of the step. */
  readonly ask: (
    parts: ReadonlyArray<InputPart>,
    reading: AnalysisStep
  ) => Effect.Effect<Answer, E | InputTooLong, R>;
  /** Merges the answers of the sections (mergeAnswers), in a worker if possible. */
  readonly merge: (answers: ReadonlyArray<Answer>) => Effect.Effect<Answer, E, R>;
  /** Makes a merged answer fit the original schema, or fails. */
  readonly accept: (merged: Answer, unread: UnreadNote) => Effect.Effect<Answer, E, R>;
}

/** How much of the inputs was read. */
export interface Coverage {
  readonly sections: number;
  /** 0 to 1, by estimated tokens. */
  readonly readShare: number;
}

export interface LongAnswer {
  readonly answer: Answer;
  readonly coverage: Coverage;
  readonly warnings: ReadonlyArray<string>;
}

/** If inputs do not fit although they were estimated to, the budget is halved up to this many times. */
const HALVINGS_MAX = 5;

/** The content of a section's call. */
export const partsOf = ({ repeated, fresh }: Section): ReadonlyArray<InputPart> => {
  const items = [...repeated, ...fresh];
  return [
    ...renderTexts(items.filter((item) => item._tag === "Text")),
    ...items.flatMap((item) => (item._tag === "Media" ? [item.part] : []))
  ];
};

const unreadNoteOf = ({ readShare, sections }: Coverage): UnreadNote =>
  readShare >= 1
    ? null
    : `The content is very long: only its first ${Math.min(99, Math.floor(readShare * 100))} % were read, in ${sections} sections.`;

/** The answers of the sections as text for the final call. */
const reconciliationText = (answers: ReadonlyArray<Answer>, merged: Answer): TextPart => ({
  _tag: "Text",
  label: "results of the sections, in their order, and their mechanical merge",
  text: [
    ...answers.map(
      ({ outcome, verdictReason, extraction, quotes }, index) =>
        `Section ${index + 1}: ${JSON.stringify({ outcome, verdictReason, extraction, quotes })}`
    ),
    `Merged: ${JSON.stringify({ extraction: merged.extraction, quotes: merged.quotes })}`
  ].join("\n")
});

/** The final call gets the numbers of the sections in doubles and repeats them, wherever it puts them. */
const inexactIn = (answer: Answer, merged: Answer): ReadonlyArray<string> => {
  const rounded = new Set((merged.inexact ?? []).map((pointer) => valueAt(merged.extraction, pointer)));
  const repeated =
    rounded.size === 0 ? [] : leavesOf(answer.extraction).filter(({ value }) => rounded.has(value));
  return [...(answer.inexact ?? []), ...repeated.map(({ pointer }) => pointer)];
};

/** Quotes of the sections are kept where the final call did not change their value. */
const withFindingsOf = (answer: Answer, merged: Answer): Answer => {
  const known = new Set(answer.quotes.map(({ pointer, quote }) => `${pointer} ${quote}`));
  const validQuotes = merged.quotes.filter(({ pointer, quote }) => {
    const value = valueAt(answer.extraction, pointer);
    const isUnchanged =
      value !== undefined &&
      canonicalJson(value) === canonicalJson(valueAt(merged.extraction, pointer) ?? null);
    return isUnchanged && !known.has(`${pointer} ${quote}`);
  });
  return { ...answer, quotes: [...answer.quotes, ...validQuotes], ...inexactAt(inexactIn(answer, merged)) };
};

const isTooLong = (failure: unknown): failure is InputTooLong =>
  (failure as { readonly _tag?: unknown })._tag === "InputTooLong";

const PUT_BACK = "Values found in sections of the content but missing from the merged output were restored: ";
const NOT_RECONCILED =
  "The answers for the sections of the content were merged by rules, not by the language model.";

const warned = (answer: Answer, warning: string): Answer => ({
  ...answer,
  warnings: [...(answer.warnings ?? []), warning]
});

/** Maximum pointers in the message. */
const TOLD_MAX = 5;

/** The merged answer if it fits the schema; else without the parts that do not. */
const mergedOr = <E, R>(
  { accept }: LongAnalysis<E, R>,
  { merged, unread }: { readonly merged: Answer; readonly unread: UnreadNote },
  otherwise: Effect.Effect<Answer, E, R>
): Effect.Effect<Answer, E, R> =>
  accept(merged, unread).pipe(
    Effect.map((each) => warned(each, NOT_RECONCILED)),
    Effect.catch(() => otherwise)
  );

/** The final call's answer, plus what it lost from the merge. */
const overFloor = <E, R>(
  analysis: LongAnalysis<E, R>,
  answer: Answer,
  floor: { readonly merged: Answer; readonly unread: UnreadNote }
): Effect.Effect<Answer, E, R> => {
  const { merged, unread } = floor;
  // The sections found something; only the schema can decide that it is insufficient.
  if (answer.outcome !== "ok") return mergedOr(analysis, floor, Effect.succeed(answer));
  const quoted = withFindingsOf(answer, merged);
  const { value, restored } = floored(answer.extraction, merged.extraction);
  if (restored.length === 0) return Effect.succeed(quoted);
  const warning = `${PUT_BACK}${restored.slice(0, TOLD_MAX).join(", ")}.`;
  return analysis.accept(withFindingsOf({ ...answer, extraction: value }, merged), unread).pipe(
    Effect.map((each) => warned(each, warning)),
    Effect.catch(() => mergedOr(analysis, floor, Effect.succeed(quoted)))
  );
};

const reconcile = Effect.fnUntraced(function* <E, R = never>(
  analysis: LongAnalysis<E, R>,
  answers: ReadonlyArray<Answer>,
  { wholeTokens, unread }: { readonly wholeTokens: number; readonly unread: UnreadNote }
): Effect.fn.Return<Answer, E, R> {
  const merged = yield* analysis.merge(answers);
  if (merged.outcome !== "ok") return merged;
  const floor = { merged, unread };
  const parts = [reconciliationText(answers, merged), reconciliationText([], merged)];
  const part = parts.find(({ text }) => textTokens(text) <= wholeTokens);
  if (part === undefined) return yield* analysis.accept(merged, unread);
  return yield* analysis.ask([part], { _tag: "Reconciliation", count: answers.length, unread }).pipe(
    Effect.flatMap((answer) => overFloor(analysis, answer, floor)),
    // What was read and charged is not lost with the final call.
    Effect.catch((failure) =>
      isTooLong(failure) ? analysis.accept(merged, unread) : mergedOr(analysis, floor, Effect.fail(failure))
    )
  );
});

const readSections = Effect.fnUntraced(function* <E, R = never>(
  inputs: PreparedInputs,
  analysis: LongAnalysis<E, R>,
  budget: ContextBudget
): Effect.fn.Return<LongAnswer, E | InputTooLong, R> {
  const items = inReadingOrder(textItems(inputs.texts, budget.sectionTokens), inputs.media);
  const all = splitInputs(items, budget);
  const sections = all.slice(0, SECTIONS_MAX);
  const [first] = sections;
  if (first === undefined) {
    return { answer: EMPTY_ANSWER, coverage: { sections: 0, readShare: 1 }, warnings: [] };
  }
  const read = sections.reduce((sum, { fresh }) => sum + tokensOf(fresh), 0);
  const readShare = all.length === sections.length ? 1 : read / tokensOf(items);
  const coverage = { sections: sections.length, readShare };
  const unread = unreadNoteOf(coverage);
  const warnings = unread === null ? [] : [unread];
  if (all.length === 1) {
    const answer = yield* analysis.ask(partsOf(first), { _tag: "Whole" });
    return { answer, coverage, warnings };
  }
  const answers = yield* Effect.forEach(
    sections,
    (section, index) =>
      analysis.ask(partsOf(section), {
        _tag: "Section",
        number: index + 1,
        count: sections.length
      }),
    { concurrency: SECTIONS_AT_ONCE }
  );
  const { wholeTokens } = budget;
  const answer = yield* reconcile(analysis, answers, { wholeTokens, unread });
  const sectionWarnings = answers.flatMap((each) => each.warnings ?? []);
  return { answer, coverage, warnings: [...warnings, ...sectionWarnings] };
});

/** A model with less context than configured is asked again with as much as it has, or half as much. */
export const analyseLong = Effect.fn("OpenAiAnalyst.analyseLong")(function* <E, R = never>(
  inputs: PreparedInputs,
  analysis: LongAnalysis<E, R>
): Effect.fn.Return<LongAnswer, E | InputTooLong, R> {
  let contextTokens = analysis.contextTokens;
  for (let halvings = 0; ; halvings++) {
    const budget = contextBudget(contextTokens, analysis.overheadTokens);
    const result = yield* readSections(inputs, analysis, budget).pipe(
      Effect.catchIf(isTooLong, (failure) =>
        halvings < HALVINGS_MAX ? Effect.succeed(failure) : Effect.fail(failure)
      )
    );
    if (!isTooLong(result)) return result;
    const { contextTokens: known = Number.POSITIVE_INFINITY } = result;
    // What was too long for the context that the server has is split further.
    contextTokens = known < contextTokens ? known : contextTokens / 2;
  }
});
