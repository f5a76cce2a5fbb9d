// @module-tag long
/** Results of many runs: their proof, corrections and exports. */
import { assert, layer } from "@effect/vitest";
import { Winnow } from "@winnow/client";
import * as WorkerSchemaChecker from "@winnow/adapters/schema-check/WorkerSchemaChecker";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as Effect from "effect/Effect";
import { lookUntil } from "../../lookUntil.ts";
import { signedIn } from "../../SignedIn.ts";
import { ADMIN_TOKEN, ARTICLE, PUBLIC_URL, TestApp, unlimited, VIDEO } from "../../TestApp.ts";

const SCHEMA = {
  type: "object",
  properties: {
    words: { type: "string" },
    count: { type: ["integer", "null"] },
    tags: { type: "array", items: { type: "string" } }
  },
  required: ["words"]
};

const FORMULA = '=HYPERLINK("https://evil.example")';

const analyst = FakeAnalyst.layer(({ prompt }) =>
  Effect.succeed({
    outcome: prompt === "none" ? "no_match" : "ok",
    verdictReason: prompt === "none" ? "It is a talk." : null,
    extraction:
      prompt === "formula"
        ? { words: FORMULA, count: null, tags: ["content of"] }
        : { words: "content of", count: null, tags: ["a, b", 'c"d'] },
    quotes: [{ pointer: prompt === "formula" ? "/tags/0" : "/words", quote: "content of" }],
    confidence: 0.9
  })
);

const collected = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = [];
  for await (const item of items) all.push(item);
  return all;
};

layer(TestApp.with({ rateLimits: unlimited, analyst }), { excludeTestServices: true })("results", (it) => {
  const opened = Effect.gen(function* () {
    const app = yield* TestApp;
    const me = yield* app.account(100_000);
    const client = new Winnow({ apiKey: me.key, baseUrl: app.url });
    const { id: schemaId } = yield* Effect.promise(() =>
      client.schemas.save({ name: "words", schema: SCHEMA })
    );
    return { app, me, client, schemaId };
  });

  it.effect("are the values of runs with a verdict of ok, each with its proof", () =>
    Effect.gen(function* () {
      const { app, me, client, schemaId } = yield* opened;
      const id = yield* app.finished(me, { url: VIDEO, schemaId });
      yield* app.finished(me, { url: VIDEO, schemaId, prompt: "none" });
      yield* app.finished(me, { url: ARTICLE });
      const rows = yield* Effect.promise(() => collected(client.results.list({ schemaId })));
      assert.strictEqual(rows.length, 1);
      assert.deepStrictEqual(
        yield* Effect.promise(() => collected(client.results.stream({ schemaId }))),
        rows
      );
      const { completedAt, evidence, ...row } = rows[0]!;
      assert.deepStrictEqual(row, {
        extractionId: id,
        url: VIDEO,
        title: row.title,
        values: { words: "content of", count: null, tags: ["a, b", 'c"d'] },
        support: {
          "/words": "quoted",
          "/count": "not_stated",
          "/tags/0": "unsupported",
          "/tags/1": "unsupported"
        },
        corrections: {}
      });
      assert.isString(row.title);
      assert.isNotNaN(Date.parse(completedAt));
      assert.strictEqual(evidence["/words"]?.[0]?.quote, "content of");
      for (const [support, count] of [
        ["quoted", 1],
        ["not_stated", 1]
      ] as const) {
        const found = yield* Effect.promise(() => client.results.page({ schemaId, support }));
        assert.strictEqual(found.data.length, count, support);
      }
      const stranger = yield* app.account(0);
      const { json } = yield* app.call(`/v1/results?schemaId=${schemaId}`, { key: stranger.key });
      assert.deepStrictEqual(json.data, []);
    })
  );

  it.effect("keep corrections beside the values, checked against the schema, until they are removed", () =>
    Effect.gen(function* () {
      const { app, me, client, schemaId } = yield* opened;
      const id = yield* app.finished(me, { url: VIDEO, schemaId });
      const values = { "/words": "mended", "/count": 3, "/tags/1": null };
      yield* Effect.promise(() => client.results.correct(id, { values }));
      const [row] = (yield* Effect.promise(() => client.results.page({ schemaId }))).data;
      assert.deepStrictEqual([row?.corrections, row?.values], [values, row?.values]);
      const { json: result } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      assert.strictEqual(result.extraction.words, "content of");
      const put = (body: unknown) =>
        app.call(`/v1/extractions/${id}/corrections`, { method: "PUT", key: me.key, body });
      for (const [wrong, reason] of [
        [{ "/nothing/there": 1 }, "no_such_value"],
        [{ "": {} }, "no_such_value"]
      ] as const) {
        const { status, json } = yield* put({ values: wrong });
        assert.deepStrictEqual(
          [status, json.error.details.param, json.error.details.reason],
          [400, "values", reason]
        );
      }
      yield* Effect.promise(() => client.results.removeCorrections(id));
      const [bare] = (yield* Effect.promise(() => client.results.page({ schemaId }))).data;
      assert.deepStrictEqual(bare?.corrections, {});
      const download = yield* app.finished(me, { url: ARTICLE });
      const none = yield* app.call(`/v1/extractions/${download}/corrections`, {
        method: "PUT",
        key: me.key,
        body: { values: {} }
      });
      assert.strictEqual(none.status, 404);
    })
  );

  it.effect("count the values to check in lists, less those that somebody settled", () =>
    Effect.gen(function* () {
      const { app, me, client, schemaId } = yield* opened;
      const none = yield* app.finished(me, { url: VIDEO, schemaId, prompt: "formula" });
      const id = yield* app.finished(me, { url: VIDEO, schemaId });
      const counts = () =>
        Effect.promise(async () => {
          const { data } = await client.extractions.page();
          const { valuesToCheck } = await client.extractions.get(id);
          return [valuesToCheck, ...data.map((each) => each.valuesToCheck)];
        });
      const ofFormula = 1;
      assert.deepStrictEqual(yield* counts(), [2, 2, ofFormula]);
      for (const [values, left] of [
        [{ "/words": "mended" }, 2],
        [{ "/tags/1": 'c"d' }, 1],
        [{ "/tags": ["a", "b"] }, undefined]
      ] as const) {
        yield* Effect.promise(() => client.results.correct(id, { values }));
        assert.deepStrictEqual(yield* counts(), [left, left, ofFormula]);
      }
      yield* Effect.promise(() => client.results.correct(none, { values: { "/words": FORMULA } }));
      assert.deepStrictEqual(yield* counts(), [undefined, undefined, undefined]);
    })
  );

  it.effect("as CSV have the fields of the schema, their quotes, and no formulas", () =>
    Effect.gen(function* () {
      const { app, me, client, schemaId } = yield* opened;
      const id = yield* app.finished(me, { url: VIDEO, schemaId, prompt: "formula" });
      yield* Effect.promise(() => client.results.correct(id, { values: { "/count": -7 } }));
      const text = (yield* Effect.promise(() =>
        collected(client.results.csv({ schemaId, columns: ["quote", "at", "corrected"] }))
      )).join("");
      const [head, line, end] = text.split("\r\n");
      assert.strictEqual(
        head,
        "extractionId,url,title,completedAt,words,words_quote,words_at,count,count_quote,count_at,tags,tags_quote,tags_at"
      );
      assert.include(line, `"'=HYPERLINK(""https://evil.example"")"`);
      assert.include(line, `-7,,,"[""content of""]",,`);
      assert.strictEqual(end, "");
    })
  );

  it.effect("as CSV need the name of a schema only where the rows have several", () =>
    Effect.gen(function* () {
      const { app, me, client, schemaId } = yield* opened;
      const csv = (query = "") => app.call(`/v1/results?format=csv${query}`, { key: me.key });
      assert.strictEqual((yield* csv()).text, "extractionId,url,title,completedAt\r\n");
      yield* app.finished(me, { url: VIDEO, schemaId });
      yield* app.finished(me, { url: ARTICLE, schemaId });
      const named = yield* csv(`&schemaId=${schemaId}`);
      assert.match(named.text, /^extractionId,url,title,completedAt,words,count,tags\r\n/u);
      assert.strictEqual((yield* csv()).text, named.text);
      const { properties } = SCHEMA;
      const inline = { type: "object", properties: { words: properties.words } };
      const { id } = yield* Effect.promise(() =>
        client.batches.create({ items: [VIDEO, ARTICLE].map((url) => ({ url, schema: inline })) })
      );
      yield* lookUntil(csv(`&batchId=${id}`), ({ text }) => text.split("\r\n").length === 4);
      assert.strictEqual((yield* csv("&batchId=none")).text, named.text);
      assert.match((yield* csv(`&batchId=${id}`)).text, /^extractionId,url,title,completedAt,words\r\n/u);
      assert.include((yield* Effect.promise(() => client.results.link({ batchId: id }))).url, id);
      for (const query of ["", "&support=quoted"]) {
        const { status, json } = yield* csv(query);
        assert.deepStrictEqual([status, json.error.details.reason], [400, "required_by_csv"]);
      }
    })
  );

  it.effect("as JSON lines have every row of a batch", () =>
    Effect.gen(function* () {
      const { app, me, client, schemaId } = yield* opened;
      const made = yield* Effect.promise(() =>
        client.batches.create({
          items: [
            { url: VIDEO, schemaId },
            { url: ARTICLE, schemaId }
          ]
        })
      );
      yield* Effect.promise(() => collected(client.batches.ended(made.id)));
      const answer = yield* app.call(`/v1/results?batchId=${made.id}`, {
        key: me.key,
        headers: { accept: "application/x-ndjson" }
      });
      const rows = answer.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.sameMembers(
        rows.map(({ extractionId }) => extractionId),
        made.items.map(({ id }) => id)
      );
      assert.match(answer.headers.get("content-disposition") ?? "", /results\.jsonl/u);
    })
  );

  it.effect("have the form that `format` names, else the one that `Accept` wants most", () =>
    Effect.gen(function* () {
      const { app, me, schemaId } = yield* opened;
      const typeOf = (query: string, accept?: string) =>
        app
          .call(`/v1/results?schemaId=${schemaId}${query}`, {
            key: me.key,
            headers: accept === undefined ? {} : { accept }
          })
          .pipe(Effect.map(({ headers }) => headers.get("content-type")?.split(";")[0]));
      for (const [accept, type] of [
        ["*/*", "application/json"],
        ["text/html, application/xml;q=0.9, */*;q=0.8", "application/json"],
        ["TEXT/CSV", "text/csv"],
        ["text/csv, application/json;q=0.5", "text/csv"],
        ["text/csv;q=0.5, */*", "application/json"],
        ["application/json;q=0.1, application/x-ndjson; q=0.2", "application/x-ndjson"],
        ["text/csv;q=0, image/png", "application/json"]
      ]) {
        assert.strictEqual(yield* typeOf("", accept), type, accept);
      }
      assert.strictEqual(yield* typeOf("&format=json", "text/csv"), "application/json");
      assert.strictEqual(yield* typeOf("&format=jsonl", "text/csv"), "application/x-ndjson");
    })
  );

  it.effect(
    "can be read by a spreadsheet, without a key, by a link that gives these rows and no others",
    () =>
      Effect.gen(function* () {
        const { app, me, client, schemaId } = yield* opened;
        const other = yield* opened;
        yield* app.finished(me, { url: VIDEO, schemaId });
        const link = yield* Effect.promise(() =>
          client.results.link({ schemaId, support: "quoted", columns: "quote" })
        );
        assert.approximately(Date.parse(link.expiresAt) - Date.now(), 30 * 24 * 3_600_000, 120_000);
        const linked = new URL(link.url);
        const here = app.url + linked.pathname + linked.search;
        const answer = yield* Effect.promise(() => fetch(here));
        assert.strictEqual(answer.status, 200);
        assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/u);
        const text = yield* Effect.promise(() => answer.text());
        assert.include(text, "content of");
        assert.include(text.split("\r\n")[0] ?? "", "words_quote");
        // The rows are those of the moment in which it is opened.
        yield* app.finished(me, { url: VIDEO, schemaId, force: true });
        const again = yield* Effect.promise(() => fetch(here).then((each) => each.text()));
        assert.isAbove(again.length, text.length);

        const changes: ReadonlyArray<readonly [string, string]> = [
          ["support", "not_stated"],
          ["schemaId", other.schemaId],
          ["account", other.me.id],
          ["apiKey", "key_other"],
          ["expires", "99999999999"],
          ["format", "jsonl"],
          ["limit", "1"]
        ];
        for (const [name, value] of changes) {
          const url = new URL(here);
          url.searchParams.set(name, value);
          const { status } = yield* Effect.promise(() => fetch(url));
          assert.strictEqual(status, 401, name);
        }
        // It opens nothing but results.
        const elsewhere = here.replace("/v1/results?", "/v1/extractions?");
        assert.strictEqual((yield* Effect.promise(() => fetch(elsewhere))).status, 401);

        const revoke = `/admin/v1/api-keys/${linked.searchParams.get("apiKey")}`;
        const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
        assert.strictEqual((yield* app.call(revoke, { method: "DELETE", headers })).status, 204);
        const ended = yield* Effect.promise(() => fetch(here));
        assert.strictEqual(ended.status, 401);
        const { error } = (yield* Effect.promise(() => ended.json())) as {
          readonly error: { readonly details: object };
        };
        assert.deepInclude(error.details, { reason: "link_revoked" });
      })
  );

  it.effect("have a link of the web app that a sign-out leaves, and signing out everywhere ends", () =>
    Effect.gen(function* () {
      const { app, me, schemaId } = yield* opened;
      const { ask } = yield* signedIn(me.id);
      const made = Effect.map(
        ask("/v1/results/links", { method: "POST", body: { schemaId } }),
        ({ status, json }) => {
          assert.strictEqual(status, 201);
          return json.url.slice(PUBLIC_URL.length) as string;
        }
      );
      const link = yield* made;
      assert.strictEqual((yield* ask("/v1/session", { method: "DELETE" })).status, 204);
      assert.strictEqual((yield* app.call(link)).status, 200);
      const again = yield* signedIn(me.id);
      assert.strictEqual((yield* again.ask("/v1/sessions", { method: "DELETE" })).status, 204);
      const { status, json } = yield* app.call(link);
      assert.deepStrictEqual([status, json.error.details.reason], [401, "link_revoked"]);
    })
  );

  it.effect("have a link only for a table that there is", () =>
    Effect.gen(function* () {
      const { client } = yield* opened;
      const refused = (body: Parameters<typeof client.results.link>[0]) =>
        Effect.promise(() => client.results.link(body).catch((cause: unknown) => cause));
      for (const body of [{ schemaId: "sch_nowhere" }, { format: "jsonl" as const, since: "yesterday" }]) {
        assert.include([400, 404], ((yield* refused(body)) as { readonly status: number }).status);
      }
    })
  );
});

const STRICT_SCHEMA = {
  type: "object",
  properties: {
    words: { type: "string" },
    count: { type: ["integer", "null"] },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true }
  },
  required: ["words"],
  additionalProperties: false
};

layer(TestApp.with({ rateLimits: unlimited, analyst, schemaChecker: WorkerSchemaChecker.layer }), {
  excludeTestServices: true
})("corrections that break the schema", (it) => {
  it.effect("are refused, in an object or list that they would break too", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(100_000);
      const id = yield* app.finished(me, { url: VIDEO, schema: STRICT_SCHEMA });
      const put = (values: unknown) =>
        app.call(`/v1/extractions/${id}/corrections`, { method: "PUT", key: me.key, body: { values } });
      for (const [values, pointer] of [
        [{ "/count": "many" }, "/count"],
        [{ "/tags": "a" }, "/tags"],
        [{ "/tags": [1] }, "/tags/0"],
        [{ "/tags/0": 'c"d' }, "/tags"],
        [{ "/bogus": 1 }, ""],
        [{ "/bogus": 1, "/count": null }, ""]
      ] as const) {
        const { status, json } = yield* put(values);
        assert.strictEqual(status, 400, JSON.stringify(values));
        assert.deepInclude(json.error.details, { param: "values", reason: "schema", pointer });
      }
      for (const values of [
        { "/words": "mended", "/tags/0": "a" },
        { "/words": null, "/tags": ["z"] }
      ]) {
        assert.deepStrictEqual((yield* put(values)).json, { values });
      }
    })
  );
});
