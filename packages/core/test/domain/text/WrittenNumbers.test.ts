import { assert, it } from "@effect/vitest";
import { amountOf, countOf, numberReadings } from "../../../src/domain/text/WrittenNumbers.ts";

it.each([
  ["1234", ["1234"]],
  ["1,234", ["1234", "1.234"]],
  ["1.234", ["1234", "1.234"]],
  ["1 234", ["1234"]],
  ["1’234", ["1234"]],
  ["1,234.5", ["1234.5"]],
  ["1.234,5", ["1234.5"]],
  ["1 234 567,5", ["1234567.5"]],
  ["1.234.567", ["1234567"]],
  ["12,50", ["12.50"]],
  ["0,125", ["0.125"]],
  ["1234,567", ["1234.567"]],
  ["1,234,56", []],
  ["1,234.567,8", []],
  ["06.05.2024", []],
  ["", []]
])("%j can mean %j", (written, readings) => assert.deepStrictEqual(numberReadings(written), readings));

it("an amount in data has a point before its fraction; another notation is no amount", () => {
  for (const [written, amount] of [
    ["1,299.50", 1_299.5],
    ["1 299", 1_299],
    ["€ 12.00", 12],
    ["1.299", 1.299]
  ] as const)
    assert.strictEqual(amountOf(written), amount, written);
  for (const written of ["1.299,50", "12,50", "from 12", "1e3", "", "-3"]) assert.isNull(amountOf(written));
});

it("a count is whole and not negative", () => {
  assert.strictEqual(countOf("12,345"), 12_345);
  assert.strictEqual(countOf(7), 7);
  for (const written of ["", "many", "1.5", -1, 1.5, null, "1e400", {}]) assert.isNull(countOf(written));
});
