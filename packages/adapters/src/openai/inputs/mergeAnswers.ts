/**
 * One answer of those that the sections of a long content gave. Pure. The values of a section that is about
 * something else, or that says too little, count for nothing.
 */
import type { Quote } from "@winnow/core/ports/Analyst";
import type { Answer } from "../Question.ts";
import { type HasEvidence, mergeValues, type Move } from "./mergeValues.ts";

export const NOTHING_READ: Answer = {
  outcome: "uncertain",
  verdictReason: "There was no content to read.",
  extraction: null,
  quotes: [],
  confidence: null
};

const evidenceOf = (answers: ReadonlyArray<Answer>): HasEvidence => {
  const pointers = answers.map(({ quotes }) => new Set(quotes.map(({ pointer }) => pointer)));
  return (section, pointer) => pointers[section]?.has(pointer) ?? false;
};

/** By the move of the value itself, or of what it went along in; null when it went nowhere. */
const movedPointer = (moves: ReadonlyMap<string, Move>, pointer: string): string | null => {
  const own = moves.get(pointer);
  if (own !== undefined) return own.to;
  for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const around = moves.get(pointer.slice(0, end));
    if (around?.isWhole === true) return around.to + pointer.slice(end);
  }
  return null;
};

const movedQuotes = (answers: ReadonlyArray<Answer>, moves: ReadonlyArray<Move>): ReadonlyArray<Quote> => {
  const bySection = Map.groupBy(moves, ({ section }) => section);
  const seen = new Set<string>();
  return answers.flatMap(({ quotes }, section) => {
    const places = new Map((bySection.get(section) ?? []).map((move) => [move.from, move]));
    return quotes.flatMap((claimed) => {
      const { pointer, quote } = claimed;
      const to = movedPointer(places, pointer);
      const key = `${to} ${quote}`;
      if (to === null || seen.has(key)) return [];
      seen.add(key);
      return [{ ...claimed, pointer: to }];
    });
  });
};

/** Of the sections whose values count, the least sure one: the merged answer is not surer. */
const least = (answers: ReadonlyArray<Answer>): number | null => {
  const told = answers.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  return told.length === 0 ? null : Math.min(...told);
};

/** `ok` when any is, `no_match` when all are, else `uncertain`; reasons are those of the earliest such one. */
export const mergeAnswers = (answers: ReadonlyArray<Answer>): Answer => {
  const [first] = answers;
  if (first === undefined) return NOTHING_READ;
  const matching = answers.filter(({ outcome }) => outcome === "ok");
  if (matching.length === 0) {
    const outcome = answers.every((answer) => answer.outcome === "no_match") ? "no_match" : "uncertain";
    const verdictReason = answers.find((answer) => answer.outcome === outcome)?.verdictReason ?? null;
    return { outcome, verdictReason, extraction: null, quotes: [], confidence: least(answers) };
  }
  const { value, moves } = mergeValues(
    matching.map(({ extraction }, section) => ({ section, pointer: "", value: extraction })),
    evidenceOf(matching)
  );
  return {
    outcome: "ok",
    verdictReason: null,
    extraction: value,
    quotes: movedQuotes(matching, moves),
    confidence: least(matching)
  };
};
