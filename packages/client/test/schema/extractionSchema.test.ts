/** Schemas of libraries: how they are sent to the service, and how they parse results. */
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as v from "valibot";
import { assert, describe, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import { SchemaMismatchError, Winnow, WinnowError, type ExtractionSchema } from "../../src/index.ts";
import { faultyServer, type Step } from "../FaultyServer.ts";

const URL_ = "https://a.example/";
const TAKEN: Step = { status: 201, body: { id: "ext_1" } };

const complete = (extraction: unknown, outcome: string | null = "ok"): Step => ({
  status: 200,
  body: { id: "ext_1", status: "complete", outcome, extraction }
});

const serving = (extraction: unknown, outcome?: string) => faultyServer(TAKEN, complete(extraction, outcome));

const clientOf = ({ baseUrl }: { readonly baseUrl: string }) => new Winnow({ apiKey: "k", baseUrl });

const rejection = async (promise: Promise<unknown>): Promise<any> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
};

/** The extraction that the service returns: `minutes` is text, `tags` is absent. */
const FOUND = { dish: "Soup", minutes: "25" };
/** What each schema below parses it into. */
const MADE = { dish: "Soup", minutes: 25, tags: [] };

const Recipe = Schema.Struct({
  dish: Schema.String,
  minutes: Schema.NumberFromString,
  tags: Schema.Array(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
});

const LIBRARIES: Readonly<Record<string, ExtractionSchema>> = {
  Zod: z.object({
    dish: z.string(),
    minutes: z.string().transform(Number),
    tags: z.array(z.string()).default([])
  }),
  Valibot: toStandardJsonSchema(
    v.object({
      dish: v.string(),
      minutes: v.pipe(v.string(), v.transform(Number)),
      tags: v.optional(v.array(v.string()), [])
    })
  ),
  ArkType: type({
    dish: "string",
    minutes: ["string", "=>", Number],
    tags: type("string[]").default(() => [])
  }),
  "Effect Schema": Schema.toStandardSchemaV1(Schema.toStandardJSONSchemaV1(Recipe))
};

describe("a schema of", () => {
  for (const [name, schema] of Object.entries(LIBRARIES)) {
    it(`${name} is sent as JSON Schema of its input and parses the result`, async () => {
      await using server = await serving(FOUND);
      const done = await clientOf(server).extract({ url: URL_, schema });
      const sent = JSON.parse(server.seen[0]?.body ?? "").schema as Record<string, any>;
      assert.notProperty(sent, "$schema");
      assert.strictEqual(sent.type, "object");
      assert.strictEqual(sent.properties.minutes.type, "string");
      assert.deepStrictEqual(sent.required.toSorted(), ["dish", "minutes"]);
      assert.deepStrictEqual(done.extraction, MADE);
    });

    it(`${name} is sent unchanged by probe and as a saved schema`, async () => {
      await using server = await faultyServer({ status: 200, body: {} });
      const winnow = clientOf(server);
      await winnow.probe({ url: URL_, schema });
      await winnow.schemas.save({ name: "n", schema });
      const [probed, saved] = server.seen.map(({ body }) => JSON.parse(body).schema);
      assert.deepStrictEqual(probed, saved);
      assert.strictEqual(probed.type, "object");
    });

    it(`${name} that rejects the result throws with all issues and the result`, async () => {
      const found = { dish: 5, minutes: "25" };
      await using server = await serving(found);
      const error = await rejection(clientOf(server).extract({ url: URL_, schema }));
      assert.instanceOf(error, SchemaMismatchError);
      assert.deepStrictEqual(error.issues[0]?.path, ["dish"]);
      assert.match(error.message, /^The extraction ext_1 does not match your schema: dish: ./u);
      assert.deepStrictEqual([error.extractionId, error.result.extraction], ["ext_1", found]);
    });
  }

  it("any library is not called without a result", async () => {
    const schema = z.object({ dish: z.string() });
    for (const outcome of ["no_match", "uncertain"]) {
      await using server = await serving(null, outcome);
      const done = await clientOf(server).extract({ url: URL_, schema });
      assert.deepStrictEqual([done.outcome as string, done.extraction], [outcome, null]);
    }
  });

  it("Effect without a parser returns values as the service validated them", async () => {
    await using server = await serving(FOUND);
    const schema = Schema.toStandardJSONSchemaV1(Recipe);
    const done = await clientOf(server).extract({ url: URL_, schema });
    assert.deepStrictEqual(done.extraction as unknown, FOUND);
  });

  it("a library may parse synchronously or asynchronously", async () => {
    await using server = await faultyServer(complete({ at: "2026-01-02" }));
    const schema = z.object({ at: z.string().refine(async (text) => text !== "") });
    const result = await clientOf(server).extractions.result("ext_1", { schema });
    assert.deepStrictEqual(result.status === "complete" && result.extraction, { at: "2026-01-02" });
  });
});

describe("a result", () => {
  const schema = z.object({ minutes: z.string().transform(Number) });

  it("that is read or awaited with a schema is parsed by it", async () => {
    await using server = await faultyServer(complete({ minutes: "5" }));
    const winnow = clientOf(server);
    const read = await winnow.extractions.result("ext_1", { schema }).withResponse();
    const waited = await winnow.extractions.wait("ext_1", { schema });
    for (const result of [read.data, waited]) {
      assert.deepStrictEqual(result.status === "complete" && result.extraction, { minutes: 5 });
    }
  });

  it("that is pending or failed is not parsed", async () => {
    for (const body of [{ status: "queued" }, { status: "failed", error: "e" }]) {
      await using server = await faultyServer({ status: 200, body });
      assert.deepStrictEqual(
        (await clientOf(server).extractions.result("ext_1", { schema })) as unknown,
        body
      );
    }
  });
});

describe("a JSON Schema", () => {
  it("is sent unchanged, including $schema, and nothing is parsed", async () => {
    await using server = await serving({ dish: 5 });
    const schema = { $schema: "http://json-schema.org/draft-07/schema#", type: "object" };
    const done = await clientOf(server).extract({ url: URL_, schema });
    assert.deepStrictEqual(JSON.parse(server.seen[0]?.body ?? "").schema, schema);
    assert.deepStrictEqual(done.extraction, { dish: 5 });
  });
});

describe("an invalid schema is rejected with the fix, without a request:", () => {
  const WRONG: ReadonlyArray<readonly [string, unknown, string]> = [
    ["Valibot without its converter", v.object({}), "toStandardJsonSchema of @valibot/to-json-schema"],
    ["Zod Mini, which gives none", mini.object({}), "with zod/mini pass z.toJSONSchema(schema)"],
    ["Effect Schema without its converter", Schema.Struct({}), "Schema.toStandardJSONSchemaV1"],
    ["a date in Zod", z.object({ at: z.date() }), "The zod schema cannot be converted to JSON Schema: Date"],
    ["text", '{"type":"object"}', "schema must be a JSON Schema"],
    ["null", null, "schema must be a JSON Schema"]
  ];
  for (const [name, schema, message] of WRONG) {
    it(`${name}`, async () => {
      await using server = await serving({});
      const error = await rejection(clientOf(server).submit({ url: URL_, schema: schema as never }));
      assert.instanceOf(error, WinnowError);
      assert.include(error.message, message);
      assert.strictEqual(server.seen.length, 0);
    });
  }
});
