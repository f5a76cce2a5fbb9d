/** Which names of a schema its patterns match: in linear time, as the patterns are the caller's. */
import { RE2JS } from "re2js";
import { toRe2Syntax } from "../../schema/PatternSyntax.ts";

export type Matches = (pattern: string, name: string) => boolean;

const compiled = (pattern: string): RE2JS | null => {
  try {
    return RE2JS.compile(toRe2Syntax(pattern));
  } catch {
    return null;
  }
};

/** Of a pattern that has no counterpart in RE2 nothing is known: it matches no name here. */
export const makeMatches = (): Matches => {
  const known = new Map<string, RE2JS | null>();
  return (pattern, name) => {
    const program = known.has(pattern) ? known.get(pattern) : compiled(pattern);
    known.set(pattern, program ?? null);
    return program?.test(name) === true;
  };
};
