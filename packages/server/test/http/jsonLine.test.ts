import { assert, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { jsonLine } from "../../src/http/jsonLine.ts";

it("a line of JSON is one line for readers that split at any line break of Unicode", () => {
  const text = "a\u2028b\u2029c\u0085d\ne";
  const line = jsonLine({ [text]: text });
  assert.notMatch(line, /[\u2028\u2029\u0085\n\r]/u);
  assert.deepStrictEqual(JSON.parse(line), { [text]: text });
});

it.prop("a line of JSON is the value", { value: Schema.Json }, ({ value }) => {
  assert.strictEqual(JSON.stringify(JSON.parse(jsonLine(value))), JSON.stringify(value));
});
