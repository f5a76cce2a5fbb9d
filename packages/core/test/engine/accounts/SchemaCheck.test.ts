/** When schemas are checked, and that nothing else happens before. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type { JsonObject } from "../../../src/domain/json-schema/SchemaRules.ts";
import { Schemas } from "../../../src/engine/accounts/Schemas.ts";
import { SchemaRefused } from "../../../src/ports/SchemaChecker.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as FakeSchemaChecker from "@winnow/testing/fakes/FakeSchemaChecker";
import { balanceOf, openAccount, probe, SOURCES, submit, VIDEO, world } from "../World.ts";

const GOOD = { type: "object", title: "good", minProperties: 1 };
const BAD = { type: "object", title: "bad" };
const RECIPE = "winnow.predefined.recipe.v1";

/** A world that rejects the bad schema, and counts schema checks and inspections. */
const watched = () => {
  const checked: Array<JsonObject> = [];
  const seen = { looks: 0 };
  const schemaChecker = FakeSchemaChecker.layer(
    () => [],
    (schema) => {
      checked.push(schema);
      return schema["title"] === "bad"
        ? new SchemaRefused({ reason: "remote_reference", path: "/properties/a/$ref", message: "No." })
        : null;
    }
  );
  const beforeInspect = Effect.sync(() => void (seen.looks += 1));
  const sources = { [VIDEO]: { ...SOURCES[VIDEO], beforeInspect } };
  return { checked, seen, layer: world({ analyst: FakeAnalyst.layer(), schemaChecker, sources }) };
};

const REFUSAL = {
  message: "`schema` at /properties/a/$ref: No.",
  details: { param: "schema", reason: "remote_reference", path: "/properties/a/$ref" }
};

describe("a schema that comes with a submit", () => {
  it.effect("is refused before any inspection and any debit", () => {
    const { layer, seen } = watched();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const before = yield* balanceOf(accountId);
      const refused = yield* Effect.flip(submit(accountId, { url: VIDEO, schema: BAD }, "key"));
      assert.strictEqual(refused._tag, "InvalidRequest");
      assert.deepInclude(refused, REFUSAL);
      assert.strictEqual(seen.looks, 0);
      assert.strictEqual(yield* balanceOf(accountId), before);
      yield* submit(accountId, { url: VIDEO, schema: GOOD }, "key");
    }).pipe(Effect.provide(layer));
  });

  it.effect("is checked once, and not again when its key is replayed", () => {
    const { layer, checked } = watched();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* submit(accountId, { url: VIDEO, schema: GOOD }, "key");
      yield* submit(accountId, { url: VIDEO, schema: GOOD }, "key");
      assert.deepStrictEqual(checked, [GOOD]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is not checked by a probe", () => {
    const { layer, checked } = watched();
    return Effect.gen(function* () {
      yield* probe(yield* openAccount(), { url: VIDEO, schema: BAD });
      assert.deepStrictEqual(checked, []);
    }).pipe(Effect.provide(layer));
  });
});

describe("a schema of the library", () => {
  it.effect("is checked when it is saved, and never again", () => {
    const { layer, checked } = watched();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { save } = yield* Schemas;
      assert.deepInclude(yield* Effect.flip(save(accountId, { name: "x", schema: BAD })), REFUSAL);
      const { id } = yield* save(accountId, { name: "x", schema: GOOD });
      yield* submit(accountId, { url: VIDEO, schemaId: id });
      yield* submit(accountId, { url: VIDEO, schemaId: RECIPE });
      assert.deepStrictEqual(checked, [BAD, GOOD]);
    }).pipe(Effect.provide(layer));
  });
});
