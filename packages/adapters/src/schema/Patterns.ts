/** Patterns as ajv wants them, matched by RE2. */
import type { RegExpEngine, RegExpLike } from "ajv/dist/types/index.js";
import { RE2JS } from "re2js";
import { toRe2Syntax } from "./PatternSyntax.ts";

/** @throws PatternRefused, or what RE2 says of a program that is too large */
export const compilePattern = (pattern: string): RegExpLike => {
  const program = RE2JS.compile(toRe2Syntax(pattern));
  const matcher: RegExpLike = { test: (text) => program.test(text) };
  // ajv takes patterns for the same when this text is.
  return Object.assign(matcher, { toString: () => `RE2 ${pattern}` });
};

/** A pattern is compiled once, however often ajv asks for it. */
export const makePatternEngine = (): RegExpEngine => {
  const compiled = new Map<string, RegExpLike>();
  const engine = (pattern: string): RegExpLike => {
    const known = compiled.get(pattern) ?? compilePattern(pattern);
    compiled.set(pattern, known);
    return known;
  };
  // Names the function where ajv writes code to a file, which is never done here.
  return Object.assign(engine, { code: "compilePattern" });
};
