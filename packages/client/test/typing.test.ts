/** Types, checked when the workspace is compiled: `expectTypeOf` does nothing at runtime. */
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as Schema from "effect/Schema";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { ApiError, InsufficientCreditsError, InvalidRequestError } from "../src/index.ts";
import type {
  ConflictError,
  ExtractionOf,
  FailedResult,
  JsonSchemaValue,
  Price,
  StandardSchema,
  SubmitResponse,
  Values,
  Winnow
} from "../src/index.ts";

const winnow = {} as Winnow;
const url = "https://example.com/";

const RECIPE = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    dish: { type: "string" },
    minutes: { type: ["integer", "null"] },
    course: { enum: ["starter", "main", "dessert"] },
    steps: { type: "array", items: { $ref: "#/$defs/step" } },
    sameAs: { anyOf: [{ type: "string" }, { type: "boolean" }] },
    by: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
  },
  required: ["dish", "minutes", "steps"],
  $defs: {
    step: {
      type: "object",
      properties: { text: { type: "string" }, then: { $ref: "#/$defs/step" } },
      required: ["text"]
    }
  }
} as const;

interface Step {
  text: string;
  then?: Step;
}

const extractWith = <const S extends Parameters<typeof winnow.schemas.save>[0]["schema"]>(schema: S) =>
  winnow.extract({ url, schema });

/** What `extraction` is once `outcome` is known to be `ok`. */
type Ok<R> =
  R extends Promise<infer Result>
    ? Extract<Result, { readonly outcome: "ok" }> extends { readonly extraction: infer Value }
      ? Value
      : never
    : never;

describe("an extraction", () => {
  it("is typed by Zod, after its transforms", () => {
    const schema = z.object({
      dish: z.string(),
      minutes: z.string().transform(Number),
      tags: z.array(z.string()).default([])
    });
    const call = () => winnow.extract({ url, schema });
    expectTypeOf<Ok<ReturnType<typeof call>>>().toEqualTypeOf<{
      dish: string;
      minutes: number;
      tags: Array<string>;
    }>();
    expectTypeOf<ExtractionOf<typeof schema>>().toEqualTypeOf<z.output<typeof schema>>();
  });

  it("is typed by Valibot with its converter, and not without", () => {
    const plain = v.object({ dish: v.string(), minutes: v.pipe(v.string(), v.transform(Number)) });
    const schema = toStandardJsonSchema(plain);
    const call = () => winnow.extract({ url, schema });
    expectTypeOf<Ok<ReturnType<typeof call>>>().toEqualTypeOf<{ dish: string; minutes: number }>();
    // @ts-expect-error it has no JSON Schema
    const wrong = () => winnow.extract({ url, schema: plain });
    expectTypeOf(wrong).toBeFunction();
  });

  it("is typed by ArkType", () => {
    const schema = type({ dish: "string", "minutes?": "number.integer", tags: "string[]" });
    const call = () => winnow.extract({ url, schema });
    expectTypeOf<Ok<ReturnType<typeof call>>>().toEqualTypeOf<typeof schema.infer>();
  });

  it("is typed by Effect Schema: decoded with its parser, encoded without", () => {
    const Recipe = Schema.Struct({ dish: Schema.String, minutes: Schema.NumberFromString });
    const json = Schema.toStandardJSONSchemaV1(Recipe);
    const both = Schema.toStandardSchemaV1(json);
    const decoded = () => winnow.extract({ url, schema: both });
    const encoded = () => winnow.extract({ url, schema: Schema.toStandardJSONSchemaV1(Recipe) });
    expectTypeOf<Ok<ReturnType<typeof decoded>>>().toEqualTypeOf<typeof Recipe.Type>();
    expectTypeOf<Ok<ReturnType<typeof encoded>>["minutes"]>().toEqualTypeOf<string>();
  });

  it("is typed by a literal JSON Schema", () => {
    const call = () =>
      winnow.extract({
        url,
        schema: {
          type: "object",
          properties: { dish: { type: "string" }, minutes: { type: "number" } },
          required: ["dish"]
        }
      });
    expectTypeOf<Ok<ReturnType<typeof call>>>().toEqualTypeOf<{ dish: string; minutes?: number }>();
    type Recipe = ExtractionOf<typeof RECIPE>;
    expectTypeOf<Recipe["minutes"]>().toEqualTypeOf<number | null>();
    expectTypeOf<Recipe["course"]>().toEqualTypeOf<"starter" | "main" | "dessert" | undefined>();
    expectTypeOf<Recipe["steps"]>().toEqualTypeOf<Array<Step>>();
    expectTypeOf<Recipe["sameAs"]>().toEqualTypeOf<string | boolean | undefined>();
    expectTypeOf<Recipe["by"]>().toEqualTypeOf<{ name: string } | undefined>();
    expectTypeOf<JsonSchemaValue<{ allOf: [{ const: 1 }, { type: "number" }] }>>().toEqualTypeOf<1>();
  });

  it("with any other schema, or none, is an object", () => {
    const schema = JSON.parse("{}") as Record<string, unknown>;
    const given = () => winnow.extract({ url, schema });
    const named = () => winnow.extract({ url, schemaId: "sch_1" });
    const widened = { type: "object", properties: {} };
    expectTypeOf<Ok<ReturnType<typeof given>>>().toEqualTypeOf<Values>();
    expectTypeOf<Ok<ReturnType<typeof named>>>().toEqualTypeOf<Values>();
    expectTypeOf<ExtractionOf<typeof widened>>().toEqualTypeOf<Values>();
  });

  it("is null unless outcome is ok", () => {
    const check = async () => {
      const done = await extractWith(z.object({ dish: z.string() }));
      expectTypeOf(done.extraction).toEqualTypeOf<{ dish: string } | null>();
      // @ts-expect-error it may be null
      expectTypeOf(done.extraction.dish).toBeString();
      if (done.outcome === "ok") expectTypeOf(done.extraction.dish).toBeString();
      else expectTypeOf(done.extraction).toBeNull();
      if (done.outcome === "no_match" || done.outcome === "uncertain") {
        expectTypeOf(done.verdictReason).toBeString();
      }
      expectTypeOf(done.summary.files).toEqualTypeOf<ReadonlyArray<string>>();
    };
    expectTypeOf(check).toBeFunction();
  });

  it("of a result or wait is typed by its schema, or by assertion", () => {
    const check = async () => {
      const schema = z.object({ dish: z.string() });
      const waited = await winnow.extractions.wait("ext_1", { schema, timeoutMs: 1 });
      if (waited.status === "failed") expectTypeOf(waited).toEqualTypeOf<FailedResult>();
      else if (waited.outcome === "ok") expectTypeOf(waited.extraction).toEqualTypeOf<{ dish: string }>();
      const read = await winnow.extractions.result<{ dish: string }>("ext_1");
      if (read.status === "complete" && read.outcome === "ok") {
        expectTypeOf(read.extraction).toEqualTypeOf<{ dish: string }>();
      }
      if (read.status !== "complete" && read.status !== "failed") {
        expectTypeOf(read.status).toEqualTypeOf<"queued" | "processing">();
      }
    };
    expectTypeOf(check).toBeFunction();
  });
});

describe("a batch", () => {
  it("has typed bodies and values, awaited and iterated", () => {
    const check = async () => {
      const bodies = [{ url, note: 1 }];
      for await (const item of winnow.submitMany(bodies)) {
        expectTypeOf(item.body.note).toBeNumber();
        if (item.status === "fulfilled") expectTypeOf(item.value).toEqualTypeOf<SubmitResponse>();
        else expectTypeOf(item.reason).toBeUnknown();
      }
      const [first] = await winnow.extractMany([{ url, schema: z.object({ dish: z.string() }) }]);
      if (first?.status === "fulfilled" && first.value.outcome === "ok") {
        expectTypeOf(first.value.extraction.dish).toBeString();
      }
    };
    expectTypeOf(check).toBeFunction();
  });
});

describe("a listing", () => {
  it("stands in a batch for what it lists, with the fields of a submit", () => {
    const schema = z.object({ dish: z.string() });
    const listing = { listingUrl: url, first: 20 };
    const calls = () => [
      winnow.batches.create({ items: [{ url }, listing, { ...listing, schema, inputs: ["audio"] }] }),
      winnow.batches.quote({ items: [{ ...listing, parts: ["audio"] }] }),
      // @ts-expect-error how many is always said
      winnow.batches.create({ items: [{ listingUrl: url }] }),
      // @ts-expect-error one or the other
      winnow.batches.create({ items: [{ ...listing, url }] }),
      // @ts-expect-error parts are of download-only runs here too
      winnow.batches.create({ items: [{ ...listing, schema, parts: ["audio"] }] }),
      // @ts-expect-error a single submit has none
      winnow.submit(listing)
    ];
    expectTypeOf(calls).toBeFunction();
  });
});

describe("calls", () => {
  it("have a typed response", () => {
    const check = async () => {
      const { data, response, requestId } = await winnow.submit({ url }).withResponse();
      expectTypeOf(data).toEqualTypeOf<SubmitResponse>();
      expectTypeOf(response).toEqualTypeOf<Response>();
      expectTypeOf(requestId).toEqualTypeOf<string | null>();
      expectTypeOf(winnow.extractions.delete("ext_1")).resolves.toBeVoid();
    };
    expectTypeOf(check).toBeFunction();
  });

  it("reject unknown fields, and accept undefined for optional ones", () => {
    const calls = () => [
      // @ts-expect-error a typo
      winnow.submit({ url, promt: "x" }),
      // @ts-expect-error no such input
      winnow.submit({ url, inputs: ["smell"] }),
      winnow.submit({ url }, { signal: undefined, idempotencyKey: undefined }),
      winnow.probe({ url, schema: undefined })
    ];
    expectTypeOf(calls).toBeFunction();
  });

  it("reject bodies that the service always rejects", () => {
    const schema = z.object({ dish: z.string() });
    const isAuto = Math.random() > 2;
    const calls = () => [
      // @ts-expect-error inputs are read with a schema
      winnow.submit({ url, inputs: ["audio"] }),
      // @ts-expect-error parts are of download-only runs
      winnow.submit({ url, schema, parts: ["audio"] }),
      // @ts-expect-error one or the other
      winnow.probe({ url, schema, schemaId: "sch_1" }),
      // @ts-expect-error auto chooses what a schema reads
      winnow.probe({ url, auto: true, maxSpendCredits: 5 }),
      // @ts-expect-error auto needs a limit
      winnow.extract({ url, schemaId: "sch_1", auto: true }),
      // @ts-expect-error in a batch too
      winnow.extractMany([{ url, schema, auto: true }]),
      winnow.submit({ url, parts: ["audio"] }),
      winnow.submit({ url, schema: isAuto ? schema : undefined }),
      winnow.extract({ url, ...(isAuto ? { schema } : {}) }),
      winnow.submit({ url, schema, inputs: ["audio"], auto: false }),
      winnow.submit({ url, schemaId: "sch_1", auto: isAuto, maxSpendCredits: 5, inputs: ["audio"] })
    ];
    expectTypeOf(calls).toBeFunction();
  });

  it("accept the body of an earlier extraction", () => {
    const again = async () => winnow.submit({ ...(await winnow.extractions.request("ext_1")), force: true });
    expectTypeOf(again).toBeFunction();
  });

  it("return open enumerations", () => {
    expectTypeOf<Price["mode"]>().toEqualTypeOf<"ai" | "download" | (string & {})>();
    expectTypeOf<ConflictError["details"]["reason"]>().toEqualTypeOf<
      | "extraction_deleted"
      | "schema_deleted"
      | "endpoint_deleted"
      | "batch_cancelled"
      | (string & {})
      | undefined
    >();
  });

  it("have typed errors", () => {
    const handle = (error: unknown) => {
      if (error instanceof InsufficientCreditsError) {
        expectTypeOf(error.details.balance).toEqualTypeOf<number>();
        expectTypeOf(error.code).toEqualTypeOf<"insufficient_credits">();
      } else if (error instanceof InvalidRequestError) {
        expectTypeOf(error.details.param).toEqualTypeOf<string | undefined>();
      } else if (error instanceof ApiError) {
        expectTypeOf(error.details["anything"]).toBeUnknown();
        expectTypeOf<"rate_limited">().toExtend<ApiError["code"]>();
        expectTypeOf<429>().toExtend<ApiError["status"]>();
        // @ts-expect-error a status is a number
        if (error.status === "429") throw error;
      }
    };
    expectTypeOf(handle).toBeFunction();
  });
});

describe("our copy of the standard", () => {
  it("accepts every schema of the standard's own types", () => {
    type Official = {
      "~standard": StandardSchemaV1.Props<string, number> & StandardJSONSchemaV1.Props<string, number>;
    };
    expectTypeOf<Official>().toExtend<StandardSchema<string, number>>();
    expectTypeOf<ExtractionOf<Official>>().toEqualTypeOf<number>();
  });
});
