/** The tools over HTTP, used by the official clients of each generation. */
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { CAROUSEL, PRIVATE, TestApp, VIDEO } from "../TestApp.ts";
import { ask, CLIENTS, connect, errorOf, factsOf, type Generation } from "./McpClients.ts";

const REVISIONS: Readonly<Record<Generation, string>> = {
  "2026-07-28": "2026-07-28",
  "2025-11-25": "2025-11-25",
  v1: "2025-11-25"
};

layer(TestApp.layerUnlimited, { excludeTestServices: true })("MCP over HTTP", (it) => {
  it.effect("a batch needs a budget, is created once, and is read, waited for and cancelled like a run", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const client = yield* connect("2026-07-28", app.url, me.key);
      const urls = [VIDEO, PRIVATE, CAROUSEL];
      const asked = { urls, parts: ["transcript"], maxCredits: 400 };
      const debits = Effect.map(app.call("/v1/ledger", { key: me.key }), ({ json }) =>
        json.data.filter(({ kind }: { kind: string }) => kind === "debit")
      );
      assert.include(errorOf(yield* ask(client, "extract_batch", { urls })), "maxCredits is missing");
      assert.include(
        errorOf(yield* ask(client, "extract_batch", { ...asked, urls: [] })),
        "`urls` must not be empty"
      );
      const dear = errorOf(yield* ask(client, "extract_batch", { ...asked, maxCredits: 1 }));
      assert.match(dear, /^price_above_limit: .*credits \d+, maxCredits 1/u);
      assert.deepStrictEqual(yield* debits, []);

      const made = factsOf(yield* ask(client, "extract_batch", asked));
      assert.match(made.id, /^bat_/u);
      assert.deepInclude(made.counts, { total: 3, accepted: 2, refused: 1 });
      assert.isTrue(made.refused[0].startsWith(`${PRIVATE} content_unavailable: `), made.refused[0]);
      for (const maxCredits of [400, 300]) {
        assert.strictEqual(
          factsOf(yield* ask(client, "extract_batch", { ...asked, maxCredits })).id,
          made.id
        );
      }
      assert.deepStrictEqual(
        (yield* debits).map(({ credits }: { credits: number }) => -credits),
        [made.credits.debited]
      );

      const over = factsOf(yield* ask(client, "get_extraction", { id: made.id, waitSeconds: 60 }));
      assert.deepInclude(over, { id: made.id, status: "complete" });
      assert.deepInclude(over.counts, { running: 0, complete: 2 });
      const { extractions } = factsOf(yield* ask(client, "list_extractions", { batchId: made.id }));
      assert.lengthOf(extractions, 2);
      const cancelled = factsOf(yield* ask(client, "cancel_extraction", { id: made.id }));
      assert.deepInclude(cancelled, { id: made.id, status: "complete" });
    })
  );

  for (const generation of Object.keys(CLIENTS) as ReadonlyArray<Generation>) {
    it.effect(`${generation}: quotes, extracts and reads, and the same call again is the same run`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp;
        const me = yield* app.account(10_000);
        const client = yield* connect(generation, app.url, me.key);
        assert.strictEqual(client.version, REVISIONS[generation]);
        const tools = yield* Effect.promise(() => client.tools());
        assert.strictEqual(tools.length, 8);
        assert.deepStrictEqual(tools[0].annotations.readOnlyHint, true);

        const quote = factsOf(yield* ask(client, "quote", { url: VIDEO }));
        assert.deepInclude(quote, { credits: 230, title: "A talk", balance: 11_000 });
        const told: Array<any> = [];
        const options = { onprogress: (progress: any) => told.push(progress) };
        const done = factsOf(yield* ask(client, "extract", { url: VIDEO }, options));
        assert.deepInclude(done, { status: "complete", balance: 11_000 - quote.credits });
        assert.deepInclude(done.credits, { quoted: 230, debited: 230, refunded: 0, maxCredits: 500 });
        assert.include(done.transcriptPreview, "content of transcript.txt");
        assert.strictEqual(told[0].message, "queued");
        const places = told.map(({ progress }) => progress);
        assert.deepStrictEqual(
          places,
          [...new Set(places)].toSorted((a, b) => a - b)
        );

        const again = factsOf(yield* ask(client, "extract", { url: VIDEO, waitSeconds: 5 }));
        assert.deepInclude(again, { id: done.id, balance: done.balance });
        const { id } = done;
        const words = factsOf(yield* ask(client, "read_transcript", { id }));
        assert.strictEqual(words.text, "[0:00] content of transcript.txt");
        const picture = yield* ask(client, "read_file", { id, name: "thumbnail.jpg" });
        assert.strictEqual(picture.content[1]?.type, "image");
        assert.strictEqual(atob(picture.content[1]?.data ?? ""), "content of thumbnail.jpg");
        const film = factsOf(yield* ask(client, "read_file", { id, name: "video.mp4" }));
        assert.include(film.url, `/v1/extractions/${id}/files/video.mp4?`);
        const { extractions } = factsOf(yield* ask(client, "list_extractions", { limit: 1 }));
        assert.deepInclude(extractions[0], { id, credits: 230 });
        const { json } = yield* app.call("/v1/extractions", { key: me.key });
        assert.deepStrictEqual(
          json.data.map((item: any) => [item.madeBy, item.apiKeyName]),
          [["mcp", "test"]]
        );
      })
    );
  }

  for (const generation of Object.keys(CLIENTS) as ReadonlyArray<Generation>) {
    it.effect(`${generation}: offers files and saved schemas as resources, to their account only`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp;
        const [me, other] = [yield* app.account(10_000), yield* app.account(0)];
        const client = yield* connect(generation, app.url, me.key);
        const read = (uri: string) => Effect.promise(() => client.readResource(uri));
        const { content, structuredContent } = yield* ask(client, "extract", { url: VIDEO });
        const links = content.filter(({ type }) => type === "resource_link") as ReadonlyArray<any>;
        assert.includeMembers(
          links.map(({ name }) => name),
          ["transcript.txt", "thumbnail.jpg"]
        );
        assert.notInclude(
          links.map(({ name }) => name),
          "video.mp4"
        );

        const uriOf = (name: string) => links.find((link) => link.name === name).uri;
        const words = (yield* read(uriOf("transcript.txt"))).contents[0];
        assert.match(
          words.text,
          /source text \w+ begins\. .*\ntext: content of transcript\.txt\n--- source text/u
        );
        const rest = (yield* read(`${uriOf("transcript.txt")}?cursor=11`)).contents[0];
        assert.include(rest.text, "text: transcript.txt\n");
        const picture = (yield* read(uriOf("thumbnail.jpg"))).contents[0];
        assert.deepStrictEqual(
          [picture.mimeType, atob(picture.blob)],
          ["image/jpeg", "content of thumbnail.jpg"]
        );

        const body = { name: "book", schema: { type: "object", properties: { title: { type: "string" } } } };
        const saved = (yield* app.call("/v1/schemas", { body, key: me.key })).json;
        const listed = JSON.parse((yield* read("winnow://schemas")).contents[0].text);
        const mine = listed.find(({ id }: any) => id === saved.id);
        assert.deepStrictEqual(mine, { id: saved.id, name: "book", uri: `winnow://schemas/${saved.id}` });
        const schema = JSON.parse((yield* read(mine.uri)).contents[0].text);
        assert.deepStrictEqual(schema.schema, body.schema);

        const stranger = yield* connect(generation, app.url, other.key);
        const { id } = structuredContent;
        for (const [reader, uri] of [
          [stranger, uriOf("transcript.txt")],
          [stranger, mine.uri],
          [client, `winnow://extractions/${id}/files/none.txt`],
          [client, `winnow://extractions/${id}/files/..%2Ftranscript.txt`],
          [client, "winnow://extractions/%E0%A4%A/files/page.md"]
        ] as const) {
          const refused = yield* Effect.promise(() => reader.readResource(uri).then(String, String));
          assert.match(refused, /not_found|[Nn]ot found/u);
        }
      })
    );
  }

  for (const generation of Object.keys(CLIENTS) as ReadonlyArray<Generation>) {
    it.effect(`${generation}: a prompt needs its arguments, for which there are no suggestions`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp;
        const client = yield* connect(generation, app.url, (yield* app.account(0)).key);
        const told = (given: Record<string, string>) =>
          Effect.promise(() => client.prompt("extract-with-schema", given).then(JSON.stringify, String));
        assert.include(
          yield* told({ url: VIDEO, fields: "the title" }),
          `Extract this from ${VIDEO}: the title`
        );
        assert.match(yield* told({ url: VIDEO }), /needs the argument `fields`/u);
        assert.match(yield* told({ url: " ", fields: "the title" }), /needs the argument `url`/u);
        assert.match(yield* told({}), /needs the argument `url`/u);
        const prompt = { type: "ref/prompt", name: "extract-with-schema" };
        const file = { type: "ref/resource", uri: "winnow://extractions/{id}/files/{name}" };
        const schema = { type: "ref/resource", uri: "winnow://schemas/{id}" };
        const arguments_ = [
          [prompt, "url"],
          [prompt, "fields"],
          [file, "id"],
          [file, "name"],
          [schema, "id"]
        ] as const;
        for (const [ref, argument] of arguments_) {
          const { completion } = yield* Effect.promise(() => client.complete(ref, argument));
          assert.deepStrictEqual(completion.values, []);
        }
        const unknown = yield* Effect.promise(() => client.complete(prompt, "none").then(String, String));
        assert.match(unknown, /Unknown completion/u);
      })
    );
  }

  it.effect("explains errors and what to do", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(10_000), yield* app.account(0)];
      const client = yield* connect("2026-07-28", app.url, me.key);
      const wrong: ReadonlyArray<readonly [string, Record<string, unknown>, RegExp]> = [
        ["extract", { uri: VIDEO }, /^invalid_request: uri is not an argument of extract; it takes url, /u],
        ["extract", { url: VIDEO, maxCredits: "5" }, /maxCredits must be a whole number from 0/u],
        ["extract", { url: VIDEO, inputs: ["audio"] }, /^invalid_request \(requires_schema\)/u],
        ["extract", { url: "nowhere" }, /^invalid_url/u],
        ["quote", { url: PRIVATE }, /^content_unavailable \(private\): .*use a URL that anyone can open/u],
        ["get_extraction", { id: "ext_none" }, /^not_found: .*list_extractions/u],
        ["read_file", { id: "ext_none", name: "../x" }, /^not_found/u],
        ["extract", { url: VIDEO, maxCredits: 229 }, /^price_above_limit: .*229.*Ask the user/u],
        ["extract", { url: VIDEO, maxCredits: 501 }, /^invalid_request: maxCredits must be at most 500,/u],
        ["quote", { url: VIDEO, maxCredits: 501 }, /^invalid_request: maxCredits must be at most 500,/u]
      ];
      for (const [name, input, text] of wrong) {
        assert.match(errorOf(yield* ask(client, name, input)), text);
      }
      const poor = yield* connect("2026-07-28", app.url, other.key);
      const refusal = errorOf(yield* ask(poor, "extract", { url: VIDEO }));
      assert.match(refusal, /^insufficient_credits: .*230.*\(cost 230, balance 0\)/u);
      const { id } = factsOf(yield* ask(client, "extract", { url: CAROUSEL }));
      assert.match(errorOf(yield* ask(poor, "get_extraction", { id })), /^not_found/u);
      assert.match(errorOf(yield* ask(client, "read_transcript", { id })), /has no transcript/u);
      assert.match(
        errorOf(yield* ask(client, "read_file", { id, name: "..%2fx" })),
        /^not_found: No such file; this extraction has /u
      );
    })
  );

  it.effect("requires a key, rejects pages of other origins, and has no stream to GET", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const { key } = yield* app.account(0);
      const body = { jsonrpc: "2.0", id: 1, method: "ping" };
      const nobody = yield* app.call("/mcp", { body });
      assert.deepStrictEqual([nobody.status, nobody.headers.get("www-authenticate")], [401, "Bearer"]);
      assert.strictEqual(nobody.json.error.code, "unauthorized");
      const page = yield* app.call("/mcp", { body, key, headers: { origin: "https://evil.example" } });
      assert.deepStrictEqual([page.status, page.json.error.code], [403, "invalid_request"]);
      const stream = yield* app.call("/mcp", { key });
      assert.deepStrictEqual([stream.status, stream.headers.get("allow")], [405, "POST"]);
      const deaf = yield* app.call("/mcp", { body, key });
      assert.deepStrictEqual([deaf.status, deaf.json.error.code], [406, "invalid_request"]);
    })
  );
});
