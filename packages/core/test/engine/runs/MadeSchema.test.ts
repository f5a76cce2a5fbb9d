/** `schemaId` "auto": a schema generated from the content, saved, and usable at once. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { SAVED_SCHEMAS_MAX } from "../../../src/domain/json-schema/SavedSchema.ts";
import { type Proposal } from "../../../src/ports/Analyst.ts";
import { SchemaLibrary } from "../../../src/ports/SchemaLibrary.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { uniqueId } from "@winnow/testing/samples/samples";
import { ARTICLE, execute, openAccount, read, runToEnd, submit, VIDEO, world } from "../World.ts";

const BODY = { url: ARTICLE, schemaId: "auto" };

const field = (path: string) =>
  ({ path, type: "string", description: "", required: true, isArray: false }) as const;
const TALK: Proposal = { name: "A talk", fields: [field("title"), field("speakers[].name")] };
const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    speakers: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
        additionalProperties: false
      }
    }
  },
  required: ["title", "speakers"],
  additionalProperties: false
};
const OK = { outcome: "ok", verdictReason: null, extraction: { title: "A talk" } } as const;

const proposing = (
  propose: () => Effect.Effect<Proposal, Failed>,
  answer: Parameters<typeof FakeAnalyst.layer>[0] = () => Effect.succeed(OK)
) => world({ analyst: FakeAnalyst.layer(answer, propose) });

const saved = (accountId: string) =>
  SchemaLibrary.use((library) => library.list(accountId, { after: null, limit: 10 }));

describe("a run that generates its schema", () => {
  it.effect("extracts with it and saves it for immediate use", () => {
    const schemas: Array<unknown> = [];
    const answer = (request: { readonly schema: unknown }) => {
      schemas.push(request.schema);
      return Effect.succeed(OK);
    };
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result, creditsDebited, creditsRefunded } = yield* runToEnd(accountId, BODY);
      assert.deepStrictEqual([result?.outcome, creditsDebited, creditsRefunded], ["ok", 100, 0]);
      const [kept, ...others] = yield* saved(accountId);
      assert.deepInclude(kept, { name: "A talk", schema: SCHEMA, prompt: null, version: 1 });
      assert.deepStrictEqual([result?.schemaId, others], [kept?.id, []]);
      const again = yield* runToEnd(accountId, { url: VIDEO, schemaId: result?.schemaId });
      assert.strictEqual(again.result?.outcome, "ok");
      assert.deepStrictEqual(schemas, [SCHEMA, SCHEMA]);
    }).pipe(Effect.provide(proposing(() => Effect.succeed(TALK), answer)));
  });

  it.effect("of content without values is uncertain, and nothing is saved", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result } = yield* runToEnd(accountId, BODY);
      assert.deepInclude(result, { outcome: "uncertain", extraction: null });
      assert.isNull(result?.schemaId);
      assert.deepStrictEqual(yield* saved(accountId), []);
    }).pipe(
      Effect.provide(
        proposing(
          () => Effect.succeed({ name: "Nothing", fields: [] }),
          () => Effect.die(new Error("asked"))
        )
      )
    )
  );

  it.effect("without an answer saves nothing", () => {
    const uncertain = { outcome: "uncertain", verdictReason: "Too thin.", extraction: null } as const;
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result } = yield* runToEnd(accountId, BODY);
      assert.deepInclude(result, uncertain);
      assert.isNull(result?.schemaId);
      assert.deepStrictEqual(yield* saved(accountId), []);
    }).pipe(
      Effect.provide(
        proposing(
          () => Effect.succeed(TALK),
          () => Effect.succeed(uncertain)
        )
      )
    );
  });

  it.effect("whose model proposes no schema fails with a full refund", () => {
    const failure = new Failed({ reason: "timeout", message: "Too slow." });
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, BODY);
      assert.deepStrictEqual([done.failure?.reason, done.creditsRefunded], ["timeout", 100]);
    }).pipe(Effect.provide(proposing(() => Effect.fail(failure))));
  });

  it.effect("keeps its result if the library is full, and says why there is no schema", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const library = yield* SchemaLibrary;
      for (let count = 0; count < SAVED_SCHEMAS_MAX; count++) {
        const draft = { id: uniqueId("sch"), name: "x", schema: {}, prompt: null, createdAtMs: 1 };
        yield* library.save(accountId, draft, SAVED_SCHEMAS_MAX);
      }
      const { result, warnings } = yield* runToEnd(accountId, { ...BODY, policy: "best-effort" });
      assert.deepInclude(result, { outcome: "ok", extraction: OK.extraction });
      assert.isNull(result?.schemaId);
      assert.match(warnings.join() ?? "", /could not be saved/u);
    }).pipe(Effect.provide(proposing(() => Effect.succeed(TALK))))
  );

  it.effect("that is started again uses the saved schema and saves no second one", () => {
    let proposals = 0;
    const propose = () => {
      proposals += 1;
      return Effect.succeed(proposals === 1 ? TALK : { name: "Another", fields: [field("other")] });
    };
    const schemas: Array<unknown> = [];
    const answer = ({ schema }: { readonly schema: unknown }) => {
      schemas.push(schema);
      return Effect.succeed(OK);
    };
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, BODY);
      // The state left by an attempt that dies before it settles.
      const library = yield* SchemaLibrary;
      const id = `sch_${extraction.id.slice("ext_".length)}`;
      yield* library.save(
        accountId,
        { id, name: "A talk", schema: SCHEMA, prompt: null, createdAtMs: 1 },
        SAVED_SCHEMAS_MAX
      );
      yield* execute(extraction);
      const { result } = yield* read(accountId, extraction.id);
      assert.deepStrictEqual([result?.schemaId, proposals, schemas], [id, 0, [SCHEMA]]);
      assert.lengthOf(yield* saved(accountId), 1);
      assert.isTrue(Option.isSome(yield* library.get(accountId, id)));
    }).pipe(Effect.provide(proposing(propose, answer)));
  });

  it.effect("serves the same submit from the cache as long as its schema exists", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const first = yield* runToEnd(accountId, BODY);
      const { extraction } = yield* submit(accountId, BODY);
      assert.deepStrictEqual(
        [extraction.cachedFrom, extraction.creditsDebited, extraction.result?.schemaId],
        [first.id, 0, first.result?.schemaId]
      );
      const other = yield* submit(accountId, { ...BODY, prompt: "Only names." });
      assert.isNull(other.extraction.cachedFrom);
      yield* SchemaLibrary.use((library) => library.remove(accountId, first.result?.schemaId ?? ""));
      const anew = yield* submit(accountId, BODY);
      assert.isNull(anew.extraction.cachedFrom);
    }).pipe(Effect.provide(proposing(() => Effect.succeed(TALK))))
  );
});
