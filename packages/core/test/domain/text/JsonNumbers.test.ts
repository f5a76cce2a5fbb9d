import * as Schema from "effect/Schema";
import { assert, describe, it } from "@effect/vitest";
import { isExactNumber, parseJsonIds, roundedChoiceIn } from "../../../src/domain/text/JsonNumbers.ts";

describe("a written number", () => {
  it.each(["0", "-0", "1.10", "1e5", "1E+2", ".5", "007", "9007199254740992", "1e21", "1000000000000000000"])(
    "that a double holds is exact: %s",
    (written) => {
      assert.isTrue(isExactNumber(written));
    }
  );

  it.each([
    "9007199254740993",
    "-1917043659912705296",
    "9999999999999999",
    "3.14159265358979323846",
    "1e400",
    "1e-400"
  ])("that a double rounds is not: %s", (written) => {
    assert.isFalse(isExactNumber(written));
  });

  it.prop("is exact as JavaScript writes it", { number: Schema.Finite }, ({ number }) => {
    assert.isTrue(isExactNumber(String(number)));
  });
});

describe("JSON of others", () => {
  it("keeps the digits of identifiers, and reads all other numbers as ever", () => {
    assert.deepStrictEqual(parseJsonIds('{"id":1917043659912705296,"n":[12,1.10,3.14159265358979323846]}'), {
      id: "1917043659912705296",
      n: [12, 1.1, 3.141592653589793]
    });
  });

  it("tells which choice of a schema would be rounded", () => {
    const schema = (more: string): string => `{"properties":{"a":{"type":"integer",${more}}}}`;
    assert.strictEqual(roundedChoiceIn(schema('"enum":[1,9007199254740993]')), "9007199254740993");
    assert.strictEqual(roundedChoiceIn(schema('"const":9007199254740993')), "9007199254740993");
    assert.isNull(roundedChoiceIn(schema('"maximum":9223372036854775807,"enum":[9007199254740992]')));
  });
});
