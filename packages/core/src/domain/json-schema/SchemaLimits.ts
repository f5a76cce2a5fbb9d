/**
 * Limits of untrusted schemas, checked before anything is compiled, and the error for each.
 *
 * SchemaRules checks the size in bytes and the root; SchemaLinks checks references. Tests: the adapters' SchemaLimits.test.ts.
 */
import { pointerBelow } from "../text/Json.ts";
import type { JsonObject } from "./SchemaRules.ts";

/** Maximum JSON depth. People nest about 10 objects, which is 30 levels; compilers recurse at each. */
export const SCHEMA_DEPTH_MAX = 64;

/** Maximum number of JSON values, not counting keys. A 100 KB schema typically has about 8,000. */
export const SCHEMA_NODES_MAX = 10_000;

/** Maximum members of an object or array of subschemas: generated code for each is nested in the previous one's. */
export const SCHEMA_BRANCHES_MAX = 500;

/** Maximum values of one `enum`: each may be compared with every item of a long list. */
export const SCHEMA_ENUM_VALUES_MAX = 2_500;

/** Maximum references; each becomes a compiled function. */
export const SCHEMA_REFERENCES_MAX = 500;

/** Maximum patterns; each becomes a compiled automaton. */
export const SCHEMA_PATTERNS_MAX = 50;

/** Length of one pattern in UTF-16 code units. */
export const SCHEMA_PATTERN_CHARS_MAX = 2_000;

/** Maximum subschemas applied to one value at one place, following references; they can double at each step. */
export const SCHEMA_EXPANSION_MAX = 10_000;

/** Stable codes for `details.reason`. */
export const SCHEMA_PROBLEM_REASONS = [
  "not_a_schema",
  "unsupported_dialect",
  "remote_reference",
  "unresolved_reference",
  "reference_loop",
  "unsupported_pattern",
  "too_deep",
  "too_many_nodes",
  "too_many_patterns",
  "too_costly",
  "names_nothing",
  "contradiction"
] as const;

/** Why a schema cannot be used. */
export interface SchemaProblem {
  readonly reason: (typeof SCHEMA_PROBLEM_REASONS)[number];
  /** RFC 6901 pointer to the fault; "" is the root. */
  readonly path: string;
  /** For people: the fault and how to fix it. */
  readonly message: string;
}

/** The limits of a JSON value. */
export interface JsonBounds {
  readonly depthMax: number;
  readonly nodesMax: number;
  /** Total length of all strings and keys. */
  readonly charsMax: number;
}

/** Which limit a JSON value exceeds, and where; null if none. */
export interface BoundBroken {
  readonly bound: "depth" | "nodes" | "chars";
  readonly path: string;
}

interface Visit {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string;
  readonly parent: Visit | null;
}

const pathOf = (visit: Visit): string => {
  const steps: Array<string> = [];
  for (let at = visit; at.parent !== null; at = at.parent) steps.push(at.key);
  return pointerBelow("", ...steps.toReversed());
};

/** Uses an explicit stack and stops at the first exceeded limit, so that no value is too deep or large to check. */
export const brokenBound = (value: unknown, bounds: JsonBounds): BoundBroken | null => {
  const waiting: Array<Visit> = [{ value, depth: 0, key: "", parent: null }];
  let nodes = 1;
  let chars = 0;
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { value: found, depth } = visit;
    if (typeof found === "string") chars += found.length;
    if (typeof found === "object" && found !== null) {
      if (depth >= bounds.depthMax) return { bound: "depth", path: pathOf(visit) };
      const keys = Object.keys(found);
      nodes += keys.length;
      if (nodes > bounds.nodesMax) return { bound: "nodes", path: pathOf(visit) };
      for (const key of keys) {
        if (!Array.isArray(found)) chars += key.length;
        const member = (found as Readonly<Record<string, unknown>>)[key];
        waiting.push({ value: member, depth: depth + 1, key, parent: visit });
      }
    }
    if (chars > bounds.charsMax) return { bound: "chars", path: pathOf(visit) };
  }
  return null;
};

/** The error of a schema that is too deep or too large; must be checked before all others. */
export const boundsProblem = (schema: JsonObject): SchemaProblem | null => {
  const broken = brokenBound(schema, {
    depthMax: SCHEMA_DEPTH_MAX,
    nodesMax: SCHEMA_NODES_MAX,
    charsMax: Number.POSITIVE_INFINITY
  });
  if (broken === null) return null;
  return broken.bound === "depth"
    ? {
        reason: "too_deep",
        path: broken.path,
        message: `The schema is nested more than ${SCHEMA_DEPTH_MAX} levels deep: move inner parts to "$defs" and refer to them.`
      }
    : {
        reason: "too_many_nodes",
        path: broken.path,
        message: `The schema has more than ${SCHEMA_NODES_MAX} values: leave out what is not needed.`
      };
};
