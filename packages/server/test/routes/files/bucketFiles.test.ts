import { assert, layer } from "@effect/vitest";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { ObjectStore } from "../../ObjectStore.ts";
import { TestApp, unlimited } from "../../TestApp.ts";

const LARGE = "https://example.com/large";

/**
 * Its period does not divide the size of any part, so that no two parts are equal. Large enough for a multipart
 * upload.
 */
const VIDEO = Array.from({ length: 2_000 }, (_, index) => index)
  .join(",")
  .repeat(1_000);

const CONTENT = Buffer.from(VIDEO);

const SMALL = "https://example.com/small";

const sources = {
  [LARGE]: { facts: sampleFacts({ durationSeconds: 60, webpageUrl: LARGE }), files: { "video.mp4": VIDEO } },
  [SMALL]: { facts: sampleFacts({ durationSeconds: 60, webpageUrl: SMALL }), files: { "video.mp4": "short" } }
};

/** One store, shared by the app and the test. */
const kept = Layer.effect(
  ArtifactStore,
  Effect.flatMap(ObjectStore, ({ artifacts }) => Effect.provide(ArtifactStore, artifacts))
);

const overBucket = Layer.unwrap(
  Effect.map(ArtifactStore, (store) =>
    TestApp.with({ rateLimits: unlimited, sources, artifacts: Layer.succeed(ArtifactStore, store) })
  )
).pipe(Layer.provideMerge(kept), Layer.provideMerge(ObjectStore.layer));

layer(overBucket, { excludeTestServices: true })("files in a bucket", (it) => {
  const runOf = Effect.fnUntraced(function* (url: string) {
    const app = yield* TestApp;
    const { key, id: accountId } = yield* app.account(10_000);
    const id = yield* app.finished({ key, id: accountId }, { url });
    return { key, id, path: `/v1/extractions/${id}/files/video.mp4` };
  });

  /** Of all tests that only read it. */
  let read: Effect.Success<ReturnType<typeof runOf>> | null = null;

  const large = Effect.gen(function* () {
    const { call, url } = yield* TestApp;
    const { key, path } = (read ??= yield* runOf(LARGE));
    const get = (headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
      fetch(url + path, { headers: { "x-api-key": key, ...headers }, signal });
    return { call, key, path, get };
  });

  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it.effect("a whole file is read back unchanged", () =>
    Effect.gen(function* () {
      const { get } = yield* large;
      const response = yield* Effect.promise(() => get());
      assert.strictEqual(response.status, 200);
      assert.strictEqual(Number(response.headers.get("content-length")), CONTENT.length);
      assert.isTrue((yield* Effect.promise(() => bytesOf(response))).equals(CONTENT), "the content differs");
    })
  );

  it.effect("a range or suffix is read back unchanged", () =>
    Effect.gen(function* () {
      const { get } = yield* large;
      const last = CONTENT.length - 1;
      for (const [range, start, end] of [
        ["bytes=1000001-5999999", 1_000_001, 5_999_999],
        [`bytes=${last}-`, last, last],
        ["bytes=-70000", last - 69_999, last]
      ] as const) {
        const response = yield* Effect.promise(() => get({ range }));
        assert.strictEqual(response.status, 206);
        assert.strictEqual(response.headers.get("content-range"), `bytes ${start}-${end}/${CONTENT.length}`);
        const part = yield* Effect.promise(() => bytesOf(response));
        assert.isTrue(part.equals(CONTENT.subarray(start, end + 1)), `${range} differs`);
      }
    })
  );

  it.effect("HEAD returns the size, an unsatisfiable range is 416", () =>
    Effect.gen(function* () {
      const { call, key, path } = yield* large;
      const head = yield* call(path, { key, method: "HEAD" });
      assert.strictEqual(head.status, 200);
      assert.strictEqual(Number(head.headers.get("content-length")), CONTENT.length);
      const headers = { range: `bytes=${CONTENT.length}-` };
      assert.strictEqual((yield* call(path, { key, headers })).status, 416);
    })
  );

  it.effect("a missing file is 404", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { key, path, id } = yield* runOf(SMALL);
      yield* (yield* ArtifactStore).removeAttempt({ extractionId: id, attempt: 1 });
      assert.strictEqual((yield* call(path, { key })).status, 404);
      assert.strictEqual((yield* call(path, { key, method: "HEAD" })).status, 404);
    })
  );

  it.effect("a disconnecting client aborts the transfer from the bucket", () =>
    Effect.gen(function* () {
      const { get } = yield* large;
      const { hook } = yield* ObjectStore;
      const ended = Promise.withResolvers<void>();
      hook((request, response) => {
        if (request.method !== "GET") return false;
        response.once("close", () => ended.resolve());
        response.writeHead(200, { "content-length": String(CONTENT.length) });
        response.write(CONTENT.subarray(0, 100_000)); // and nothing more: only a disconnect ends this response
        return true;
      });
      const leaving = new AbortController();
      const response = yield* Effect.promise(() => get({}, leaving.signal));
      yield* Effect.promise(async () => response.body?.getReader().read());
      leaving.abort();
      yield* Effect.promise(() => ended.promise).pipe(Effect.timeout("50 seconds"));
      hook(() => false);
    })
  );

  it.effect("an interrupted transfer is an error for the client, never a shorter file", () =>
    Effect.gen(function* () {
      const { get } = yield* large;
      const { hook } = yield* ObjectStore;
      hook((request, response) => {
        if (request.method !== "GET") return false;
        response.writeHead(200, { "content-length": String(CONTENT.length) });
        response.write(CONTENT.subarray(0, 100_000), () => response.destroy());
        return true;
      });
      const outcome = yield* Effect.promise(() =>
        get()
          .then(bytesOf)
          .catch(() => "broken")
      );
      assert.strictEqual(outcome, "broken");
      hook(() => false);
    })
  );
});
