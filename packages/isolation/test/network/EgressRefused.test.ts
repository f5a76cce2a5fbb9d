import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import { EgressRefused, recordRefusal, shownHost } from "../../src/network/guard/EgressRefused.ts";

/** The annotations of the line about a refusal. */
const loggedOf = Effect.fnUntraced(function* (refused: EgressRefused) {
  const lines: Array<Readonly<Record<string, unknown>>> = [];
  const logger = Logger.make(({ fiber }) => void lines.push(fiber.getRef(References.CurrentLogAnnotations)));
  yield* Effect.provide(recordRefusal(refused), Logger.layer([logger]));
  return lines;
});

describe("a refused connection", () => {
  it("is a sentence without the host, which may be anything", () => {
    const { message } = new EgressRefused("address", "inside.example", 80);
    assert.strictEqual(message, "The address leads to an address that is not public.");
  });

  it.effect(
    "is logged with its name and reason, and how to allow it where that is a matter of its address",
    () =>
      Effect.gen(function* () {
        const remedy = "to allow it: WINNOW_EGRESS_ALLOW=inside.example";
        for (const reason of ["address", "host_name"] as const) {
          const logged = yield* loggedOf(new EgressRefused(reason, "inside.example", 80));
          assert.deepStrictEqual(logged, [{ host: "inside.example", port: 80, reason, remedy }]);
        }
        const logged = yield* loggedOf(new EgressRefused("unresolvable", "typo.example", 443));
        assert.deepStrictEqual(logged, [{ host: "typo.example", port: 443, reason: "unresolvable" }]);
      })
  );
});

describe("an authority that cannot be read", () => {
  it("is shown without credentials, and no longer than a name may be", () => {
    assert.strictEqual(shownHost("user:p@ss@in side:80"), "in side:80");
    assert.strictEqual(shownHost("in side"), "in side");
    assert.strictEqual(shownHost(`user:secret@${"a".repeat(1_000)}`), "a".repeat(255));
  });
});
