/** Pictures of quotes. */
import { assert, describe, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { signedIn } from "../../SignedIn.ts";
import { ARTICLE, AWAY, PRIVATE, TestApp, VIDEO } from "../../TestApp.ts";

const PLAIN = "https://example.com/plain";

const sources = { [PLAIN]: { facts: sampleFacts({ thumbnailUrl: null }) } };

const pathOf = (url: string): string => `/v1/probe/thumbnail?url=${encodeURIComponent(url)}`;

const quoted = Effect.fnUntraced(function* (key: string, url: string) {
  const { call } = yield* TestApp;
  const { json } = yield* call("/v1/probe", { key, body: { url } });
  return json.thumbnail as string | null;
});

layer(TestApp.with({ sources }), { excludeTestServices: true })("the picture of a quote", (it) => {
  it.effect("is a path of this server that takes a key or a web session", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { id, key } = yield* account(0);
      const path = yield* quoted(key, `${VIDEO}?utm_source=mail`);
      assert.strictEqual(path, pathOf(VIDEO));
      const { ask } = yield* signedIn(id);
      for (const answer of [yield* call(path ?? "", { key }), yield* ask(path ?? "")]) {
        assert.strictEqual(answer.status, 200);
        assert.strictEqual(answer.headers.get("content-type"), "image/jpeg");
        assert.strictEqual(answer.headers.get("cache-control"), "private, max-age=600");
        assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff");
        assert.isNotEmpty(answer.text);
      }
      assert.strictEqual((yield* call(path ?? "")).status, 401);
    })
  );

  it.effect("is the stored file of a result that is reused", () =>
    Effect.gen(function* () {
      const { account, call, finished } = yield* TestApp;
      const owner = yield* account(10_000);
      const id = yield* finished(owner, { url: ARTICLE });
      const path = yield* quoted(owner.key, ARTICLE);
      assert.strictEqual(path, `/v1/extractions/${id}/files/thumbnail.jpg`);
      assert.strictEqual((yield* call(path ?? "", { key: owner.key })).status, 200);
    })
  );

  it.effect("is null, and its path 404, where the source has none", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      assert.isNull(yield* quoted(key, PLAIN));
      for (const url of [PLAIN, PRIVATE, AWAY, "https://example.com/nowhere"]) {
        const { status, json } = yield* call(pathOf(url), { key });
        assert.deepStrictEqual([status, json.error.code], [404, "not_found"], url);
      }
    })
  );

  it.effect("is refused of what a quote refuses by its text", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      for (const [path, code] of [
        ["/v1/probe/thumbnail", "invalid_url"],
        [pathOf("talk"), "invalid_url"],
        [pathOf("file:///etc/passwd"), "unsupported_url"]
      ] as const) {
        const { status, json } = yield* call(path, { key });
        assert.deepStrictEqual([status, json.error.code], [400, code], path);
      }
    })
  );

  it.effect("has as many requests a minute as quotes, of its own", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      for (let request = 0; request < 10; request += 1) yield* call(pathOf(VIDEO), { key });
      const refused = yield* call(pathOf(VIDEO), { key });
      assert.deepStrictEqual([refused.status, refused.json.error.code], [429, "rate_limited"]);
      assert.strictEqual(yield* quoted(key, VIDEO), pathOf(VIDEO));
    })
  );
});

const withoutPreviews = Layer.effect(
  Downloader,
  Effect.map(Downloader, ({ inspect, fetch, list, isWarm }) => ({ inspect, fetch, list, isWarm }))
).pipe(Layer.provide(FakeDownloader.layer({ [VIDEO]: { facts: sampleFacts({ webpageUrl: VIDEO }) } })));

describe("a downloader without previews", () => {
  layer(TestApp.with({ downloader: withoutPreviews }), { excludeTestServices: true })((it) => {
    it.effect("has quotes without pictures", () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const { key } = yield* account(0);
        assert.isNull(yield* quoted(key, VIDEO));
        assert.strictEqual((yield* call(pathOf(VIDEO), { key })).status, 404);
      })
    );
  });
});
