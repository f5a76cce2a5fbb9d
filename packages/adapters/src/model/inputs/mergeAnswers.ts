/**
 * Merges the answers of the sections of long content. Pure. Sections that do not match, or contain too little, do
 * not count.
 */
import type { ClaimedQuote } from "@winnow/core/domain/evidence/Grounding";
import type { Answer } from "../prompt/Question.ts";
import { type HasEvidence, mergeValues, type Move } from "./mergeValues.ts";

export const EMPTY_ANSWER: Answer = {
  outcome: "uncertain",
  verdictReason: "The content is empty.",
  extraction: null,
  quotes: [],
  confidence: null
};

const evidenceOf = (answers: ReadonlyArray<Answer>): HasEvidence => {
  const pointers = answers.map(({ quotes }) => new Set(quotes.map(({ pointer }) => pointer)));
  return (section, pointer) => pointers[section]?.has(pointer) ?? false;
};

/** Follows the path of the value or of its container; null if it was dropped. */
const movedPointer = (moves: ReadonlyMap<string, Move>, pointer: string): string | null => {
  const own = moves.get(pointer);
  if (own !== undefined) return own.to;
  for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const around = moves.get(pointer.slice(0, end));
    if (around?.isWhole === true) return around.to + pointer.slice(end);
  }
  return null;
};

const movedQuotes = (
  answers: ReadonlyArray<Answer>,
  moves: ReadonlyArray<Move>
): ReadonlyArray<ClaimedQuote> => {
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

/** The lowest confidence of the sections that count. */
const least = (answers: ReadonlyArray<Answer>): number | null => {
  const stated = answers.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  return stated.length === 0 ? null : Math.min(...stated);
};

/**
 * `ok` if any section is, `no_match` if all are, else `uncertain`; the reason is that of the earliest such section.
 */
export const mergeAnswers = (answers: ReadonlyArray<Answer>): Answer => {
  const [first] = answers;
  if (first === undefined) return EMPTY_ANSWER;
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
