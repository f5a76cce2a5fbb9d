/**
 * Patterns that RE2 has no counterpart for, on the engine of this Node, which goes back and tries again. Each
 * test is ended after a while; what then remains of the pattern is a hint to the model that nobody checks.
 */
import { createContext, Script } from "node:vm";

/** Longest test of one text; usual ones take microseconds. */
const TEST_MS_MAX = 50;

/** All such tests of one value together: a value may have a hundred thousand texts. */
const VALUE_MS_MAX = 250;

const TEST = new Script("pattern.test(text)");

/** Time that is left for the value being checked. */
let leftMs = VALUE_MS_MAX;

/** Patterns that it was not held to. */
const unchecked = new Set<string>();

/** To be called before a value is checked. */
export const startBacktracking = (): void => {
  leftMs = VALUE_MS_MAX;
  unchecked.clear();
};

/** Patterns that were given up for the value that was checked last. */
export const uncheckedPatterns = (): ReadonlyArray<string> => [...unchecked];

const expression = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
};

/** Answers true when it cannot be found out in time. */
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
