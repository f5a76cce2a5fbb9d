/**
 * Runs patterns without an RE2 equivalent on Node's backtracking engine. Each test has a time limit, after which
 * the pattern is only a hint to the model and no longer checked.
 */
import { createContext, Script } from "node:vm";

/** Maximum duration of one test; usual ones take microseconds. */
const TEST_MS_MAX = 50;

/** Maximum duration of all such tests of one value, which may have a hundred thousand texts. */
const VALUE_MS_MAX = 250;

const TEST = new Script("pattern.test(text)");

/** Remaining time for the current value. */
let leftMs = VALUE_MS_MAX;

/** Patterns that were not enforced. */
const unchecked = new Set<string>();

/** Must be called before a value is checked. */
export const startBacktracking = (): void => {
  leftMs = VALUE_MS_MAX;
  unchecked.clear();
};

/** Patterns that were given up for the last checked value. */
export const uncheckedPatterns = (): ReadonlyArray<string> => [...unchecked];

const expression = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
};

/** Returns true if it cannot be determined in time. */
const testInTime = (box: { text: string }, pattern: string, text: string): boolean => {
  if (leftMs <= 0) {
    unchecked.add(pattern);
    return true;
  }
  box.text = text;
  const startMs = performance.now();
  try {
    return TEST.runInContext(box, { timeout: TEST_MS_MAX }) === true;
  } catch {
    unchecked.add(pattern);
    return true;
  } finally {
    leftMs -= performance.now() - startMs;
  }
};

/** @throws SyntaxError */
export const backtrackingPattern = (pattern: string): ((text: string) => boolean) => {
  const box = Object.assign(Object.create(null), { pattern: expression(pattern), text: "" });
  createContext(box);
  return (text) => testInTime(box, pattern, text);
};
