/** Patterns for ajv: matched by RE2 in linear time, or within limits where RE2 cannot. */
import type { RegExpEngine, RegExpLike } from "ajv/dist/types/index.js";
import { RE2JS } from "re2js";
import { backtrackingPattern } from "./BacktrackingPattern.ts";
import { PatternRefused, toRe2Syntax } from "./PatternSyntax.ts";

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
