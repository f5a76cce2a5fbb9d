/**
 * Patterns for ajv: matched by RE2 in linear time, or, without an RE2 equivalent, by Node's backtracking engine. Each
 * of its tests has a time limit, after which the pattern is only a hint to the model and no longer checked.
 */
import { createContext, Script } from "node:vm";
import type { RegExpEngine, RegExpLike } from "ajv/dist/types/index.js";
import { RE2JS } from "re2js";
import { PatternRefused, toRe2Syntax } from "./PatternSyntax.ts";

/** Maximum processor time of one test; usual ones take microseconds. */
const TEST_PROCESSOR_MS = 50;

/** Maximum processor time of all such tests of one value, which may have a hundred thousand texts. */
const VALUE_PROCESSOR_MS = 250;

/**
 * Time limits of a test's attempts. `node:vm` measures them by the wall clock, and on a busy machine, one may be over
 * before the test has had its processor time.
 */
const ATTEMPTS_MS = [TEST_PROCESSOR_MS, 200, 800];

/** Maximum duration of all such tests of one value. */
const VALUE_WALL_MS = 5_000;

const TEST = new Script("pattern.test(text)");

/** Processor time of this thread; before Node 23.9, the wall clock, so that a test has one attempt. */
const processorMs = (): number => {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Remaining time for the current value. */
const left = { processorMs: VALUE_PROCESSOR_MS, wallMs: VALUE_WALL_MS };

/** Patterns that were not enforced. */
const unchecked = new Set<string>();

/** Must be called before a value is checked. */
export const startBacktracking = (): void => {
  left.processorMs = VALUE_PROCESSOR_MS;
  left.wallMs = VALUE_WALL_MS;
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

/** Null if it takes longer than the limit. */
const attempt = (box: object, limitMs: number): boolean | null => {
  const [startMs, startProcessorMs] = [performance.now(), processorMs()];
  try {
    return TEST.runInContext(box, { timeout: limitMs }) === true;
  } catch {
    return null;
  } finally {
    left.processorMs -= processorMs() - startProcessorMs;
    left.wallMs -= performance.now() - startMs;
  }
};

/** Returns true if it cannot be determined in time. */
const testInTime = (box: { text: string }, pattern: string, text: string): boolean => {
  box.text = text;
  const leftAfterwardsMs = Math.max(0, left.processorMs - TEST_PROCESSOR_MS);
  for (const limitMs of ATTEMPTS_MS) {
    if (left.processorMs <= leftAfterwardsMs || left.wallMs <= 0) break;
    const answer = attempt(box, limitMs);
    if (answer !== null) return answer;
  }
  // On a busy machine, an attempt may get more time than its test has; that is not at the expense of other tests.
  left.processorMs = Math.max(left.processorMs, leftAfterwardsMs);
  unchecked.add(pattern);
  return true;
};

/** @throws SyntaxError */
export const backtrackingPattern = (pattern: string): ((text: string) => boolean) => {
  const box = Object.assign(Object.create(null), { pattern: expression(pattern), text: "" });
  createContext(box);
  return (text) => testInTime(box, pattern, text);
};

/** RE2 rejects patterns without an equivalent, and programs that are too large. */
const tester = (pattern: string): ((text: string) => boolean) => {
  try {
    const program = RE2JS.compile(toRe2Syntax(pattern));
    return (text) => program.test(text);
  } catch (error) {
    if (error instanceof PatternRefused) throw error;
    return backtrackingPattern(pattern);
  }
};

/** @throws PatternRefused */
export const compilePattern = (pattern: string): RegExpLike => {
  const matcher: RegExpLike = { test: tester(pattern) };
  // ajv treats patterns with the same text as equal.
  return Object.assign(matcher, { toString: () => `pattern ${pattern}` });
};

/** A pattern is compiled once, however often ajv requests it. */
export const makePatternEngine = (): RegExpEngine => {
  const compiled = new Map<string, RegExpLike>();
  const engine = (pattern: string): RegExpLike => {
    const known = compiled.get(pattern) ?? compilePattern(pattern);
    compiled.set(pattern, known);
    return known;
  };
  // Names the function for code that ajv writes to a file, which is never done here.
  return Object.assign(engine, { code: "compilePattern" });
};
