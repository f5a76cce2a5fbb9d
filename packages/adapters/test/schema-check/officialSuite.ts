/** The cases of JSON-Schema-Test-Suite (suite/SOURCE.md), and a checker's results. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";

export const DRAFTS = ["draft2020-12", "draft7"] as const;

type Draft = (typeof DRAFTS)[number];

/** Cases that differ from the suite, by its descriptions. */
export interface SuiteReport {
  readonly cases: number;
  readonly agreed: number;
  /** `file: group: reason at path`, each with its number of cases. */
  readonly refused: Readonly<Record<string, number>>;
  /** `file: group: case`. */
  readonly different: ReadonlyArray<string>;
}

export interface Group {
  readonly description: string;
  readonly schema: any;
  readonly tests: ReadonlyArray<{
    readonly description: string;
    readonly data: any;
    readonly valid: boolean;
  }>;
}

/** Text by path. Packed, so that its 30,000 lines are in no search. */
const FILES: Readonly<Record<string, string>> = JSON.parse(
  gunzipSync(readFileSync(`${import.meta.dirname}/suite/cases.json.gz`)).toString()
);

/** The groups of each file of a draft, in the order of the names. */
export const groupsOf = (
  draft: Draft
): ReadonlyArray<readonly [file: string, groups: ReadonlyArray<Group>]> =>
  Object.keys(FILES)
    .filter((file) => file.startsWith(`${draft}/`))
    .map((file) => [file.slice(draft.length + 1), JSON.parse(FILES[file] ?? "")] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Winnow's schemas are objects, and those of draft-07 declare it. */
const asObject = (schema: any, draft: Draft) => {
  if (typeof schema === "boolean") return schema ? {} : { not: {} };
  return draft === "draft7" ? { $schema: "http://json-schema.org/draft-07/schema#", ...schema } : schema;
};

export const runSuite = Effect.fnUntraced(function* (
  draft: Draft
): Effect.fn.Return<SuiteReport, never, SchemaChecker> {
  const checker = yield* SchemaChecker;
  const refused: Record<string, number> = {};
  const different: Array<string> = [];
  let [cases, agreed] = [0, 0];
  for (const [file, groups] of groupsOf(draft)) {
    for (const { description: group, schema, tests } of groups) {
      for (const { description, data, valid } of tests) {
        cases += 1;
        const answer = yield* Effect.result(checker.validate(asObject(schema, draft), data));
        if (Result.isFailure(answer)) {
          const key = `${file}: ${group}: ${answer.failure.reason} at ${answer.failure.path}`;
          refused[key] = (refused[key] ?? 0) + 1;
        } else if ((answer.success.length === 0) === valid) agreed += 1;
        else different.push(`${file}: ${group}: ${description}`);
      }
    }
  }
  return { cases, agreed, refused, different };
});
