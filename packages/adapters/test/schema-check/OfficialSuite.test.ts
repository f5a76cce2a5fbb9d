// @module-tag long
import { inRun } from "@winnow/testing/samples/samples";
import { readFileSync } from "node:fs";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as WorkerSchemaChecker from "../../src/schema-check/WorkerSchemaChecker.ts";
import { DRAFTS, runSuite } from "./officialSuite.ts";

/** All cases that differ from the suite: references that leave the schema, asserted formats, gaps of ajv. */
const KNOWN = JSON.parse(readFileSync(`${import.meta.dirname}/known-differences.json`, "utf8"));

layer(inRun(WorkerSchemaChecker.layer), { excludeTestServices: true })("JSON-Schema-Test-Suite", (it) => {
  for (const draft of DRAFTS) {
    it.effect(`all cases of ${draft} except the known ones have the expected result`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* runSuite(draft), KNOWN[draft]);
      })
    );
  }
});
