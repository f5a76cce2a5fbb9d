/** The client's typed results end to end: real HTTP, the real schema checker, and a stand-in for the model. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { UnsupportedUrlError, Winnow, InvalidRequestError, type ExtractionSchema } from "@winnow/client";
import { type } from "arktype";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import * as SchemaTransformation from "effect/SchemaTransformation";
import * as Scope from "effect/Scope";
import * as v from "valibot";
import * as z from "zod";
import { TALK, withModel } from "../ModelApp.ts";
import { keepWorkers } from "@winnow/adapters/test/model/KeptWorkers";

keepWorkers();

const shout = (text: string) => text.toUpperCase();

/** Each converts the title to upper case, which shows that its parser has run. */
const SCHEMAS: Readonly<Record<string, ExtractionSchema>> = {
  "Zod 4": z.object({ title: z.string().transform(shout), servings: z.int().default(1) }),
  Valibot: toStandardJsonSchema(
    v.object({ title: v.pipe(v.string(), v.transform(shout)), servings: v.pipe(v.number(), v.integer()) })
  ),
  ArkType: type({ title: ["string", "=>", shout], servings: "number.integer" }),
  "Effect Schema": Schema.toStandardSchemaV1(
    Schema.toStandardJSONSchemaV1(
      Schema.Struct({
        title: Schema.String.pipe(Schema.decode(SchemaTransformation.toUpperCase())),
        servings: Schema.Int
      })
    )
  )
};

const scope = Effect.runSync(Scope.make());
let winnow: Winnow;

beforeAll(async () => {
  const opened = Effect.gen(function* () {
    const { app } = yield* withModel("fake-ok");
    const { key } = yield* app.account(100_000);
    return new Winnow({ apiKey: key, baseUrl: app.url });
  });
  winnow = await Effect.runPromise(Scope.provide(opened, scope) as Effect.Effect<Winnow>);
});

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

describe("extract with a schema of", () => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`${name} returns the parsed result`, async () => {
      const { price } = await winnow.probe({ url: TALK, schema, inputs: ["transcript"] });
      const done = await winnow.extract({ url: TALK, schema, inputs: ["transcript"] });
      assert.strictEqual(done.outcome, "ok");
      assert.deepStrictEqual(done.extraction, { title: "TOMATO SOUP", servings: 4 });
      const { creditsDebited } = await winnow.extractions.get(done.id);
      assert.strictEqual(creditsDebited, price.credits);
    });
  }
});

describe("against the real service", () => {
  it("a batch keeps its order, and has an error class for each refusal", async () => {
    const schema = z.object({ title: z.string(), servings: z.int() });
    const bodies = [
      { url: TALK, schema, inputs: ["transcript" as const] },
      { url: "https://127.0.0.1/", schema },
      { url: TALK, schema: z.object({ title: z.string().regex(new RegExp("a".repeat(2_001), "u")) }) }
    ];
    const [found, local, pattern] = await winnow.extractMany(bodies);
    assert.strictEqual(found?.status === "fulfilled" && found.value.extraction?.title, "Tomato soup");
    assert.instanceOf(local?.status === "rejected" && local.reason, UnsupportedUrlError);
    const refused = pattern?.status === "rejected" ? (pattern.reason as InvalidRequestError) : null;
    assert.instanceOf(refused, InvalidRequestError);
    assert.strictEqual(refused?.details.reason, "unsupported_pattern");
  });

  it("every call has its request id, and submits their rate limit", async () => {
    const { requestId, response } = await winnow.submit({ url: TALK }).withResponse();
    assert.isString(requestId);
    assert.strictEqual(response.headers.get("x-ratelimit-limit"), "6");
  });
});
