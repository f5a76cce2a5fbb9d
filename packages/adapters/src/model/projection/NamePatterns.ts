/** Which names of a schema its patterns match, in linear time because the patterns are untrusted. */
import { RE2JS } from "re2js";
import { toRe2Syntax } from "../../schema-check/PatternSyntax.ts";

export type Matches = (pattern: string, name: string) => boolean;

const compiled = (pattern: string): RE2JS | null => {
  try {
    return RE2JS.compile(toRe2Syntax(pattern));
  } catch {
    return null;
  }
};

/** A pattern without an equivalent in RE2 matches no name here. */
export const makeMatches = (): Matches => {
  const known = new Map<string, RE2JS | null>();
  return (pattern, name) => {
    const program = known.has(pattern) ? known.get(pattern) : compiled(pattern);
    known.set(pattern, program ?? null);
    return program?.test(name) === true;
  };
};
