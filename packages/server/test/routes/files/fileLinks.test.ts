import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { signedIn } from "../../SignedIn.ts";
import { ARTICLE, PUBLIC_URL, STUCK, TestApp, VIDEO } from "../../TestApp.ts";
import { zipEntries } from "../../ZipEntries.ts";

const makeLink = Effect.fnUntraced(function* (key: string, id: string, name: string) {
  const { call } = yield* TestApp;
  return yield* call(`/v1/extractions/${id}/files/${name}/links`, { method: "POST", key });
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("links to files", (it) => {
  it.effect("open one file without a key: whole, ranges and HEAD", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: VIDEO });
      const made = yield* makeLink(me.key, id, "video.mp4");
      assert.strictEqual(made.status, 201);
      const leftMs = Date.parse(made.json.expiresAt) - Date.now();
      assert.isTrue(leftMs > 14 * 60_000 && leftMs <= 15 * 60_000 + 1_000, made.json.expiresAt);
      assert.isTrue(made.json.url.startsWith(`${PUBLIC_URL}/v1/extractions/${id}/files/video.mp4?`));
      const path = made.json.url.slice(PUBLIC_URL.length);
      const withKey = yield* app.call(`/v1/extractions/${id}/files/video.mp4`, { key: me.key });
      const opened = yield* app.call(path);
      assert.deepStrictEqual([opened.status, opened.text], [200, withKey.text]);
      const part = yield* app.call(path, { headers: { range: "bytes=0-3" } });
      assert.deepStrictEqual([part.status, part.text], [206, withKey.text.slice(0, 4)]);
      assert.strictEqual((yield* app.call(path, { method: "HEAD" })).status, 200);
      assert.strictEqual((yield* app.call(path, { method: "DELETE" })).status, 405);
    })
  );

  it.effect("open nothing else, and nothing if modified", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(10_000), yield* app.account(10_000)];
      const id = yield* app.finished(me, { url: VIDEO });
      const theirs = yield* app.finished(other, { url: VIDEO });
      const { json } = yield* makeLink(me.key, id, "video.mp4");
      const url = new URL(json.url);
      const changed = (change: (into: URL) => void): string => {
        const copy = new URL(url);
        change(copy);
        return `${copy.pathname}${copy.search}`;
      };
      const wrong = [
        changed((into) => (into.pathname = into.pathname.replace("video.mp4", "audio.m4a"))),
        changed((into) => (into.pathname = into.pathname.replace(id, theirs))),
        changed((into) => into.searchParams.set("account", other.id)),
        changed((into) => into.searchParams.set("expires", "99999999999")),
        changed((into) => into.searchParams.set("signature", "AAAA"))
      ];
      for (const path of wrong) {
        const answer = yield* app.call(path);
        assert.strictEqual(answer.status, 401, path);
        assert.strictEqual(answer.json.error.details.reason, "link_invalid", path);
      }
      const { search } = url;
      for (const path of ["result", "request", "files.zip"]) {
        assert.strictEqual((yield* app.call(`/v1/extractions/${id}/${path}${search}`)).status, 401, path);
      }
      assert.strictEqual((yield* app.call(`/v1/account${search}`)).status, 401);
      yield* app.call(`/v1/extractions/${id}`, { key: me.key, method: "DELETE" });
      assert.strictEqual((yield* app.call(`${url.pathname}${search}`)).status, 404);
    })
  );

  it.effect("are created only for existing files of the account", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(10_000), yield* app.account(0)];
      const id = yield* app.finished(me, { url: ARTICLE });
      const { json: stuck } = yield* app.call("/v1/extractions", { key: me.key, body: { url: STUCK } });
      assert.strictEqual((yield* makeLink(me.key, id, "none.mp4")).status, 404);
      assert.strictEqual((yield* makeLink(me.key, stuck.id, "transcript.txt")).status, 404);
      assert.strictEqual((yield* makeLink(other.key, id, "transcript.txt")).status, 404);
      assert.strictEqual((yield* makeLink(me.key, id, "..%2fsecret")).status, 400);
      const { ask } = yield* signedIn(me.id);
      const path = `/v1/extractions/${id}/files/transcript.txt/links`;
      assert.strictEqual((yield* ask(path, { method: "POST" })).status, 201);
    })
  );
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("all files at once", (it) => {
  it.effect("are one archive of the stated length", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: VIDEO });
      const path = `/v1/extractions/${id}/files.zip`;
      const response = yield* Effect.promise(() =>
        fetch(`${app.url}${path}`, { headers: { "x-api-key": me.key } })
      );
      assert.strictEqual(response.status, 200);
      assert.strictEqual(response.headers.get("content-type"), "application/zip");
      assert.include(response.headers.get("content-disposition") ?? "", `${id}.zip`);
      const archive = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()));
      assert.strictEqual(response.headers.get("content-length"), String(archive.length));
      const entries = zipEntries(archive);
      const { json } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      assert.deepStrictEqual([...entries.keys()], json.summary.files);
      for (const [name, content] of entries) {
        const { text } = yield* app.call(`/v1/extractions/${id}/files/${name}`, { key: me.key });
        assert.strictEqual(content.toString(), text, name);
      }
      const head = yield* app.call(path, { method: "HEAD", key: me.key });
      assert.strictEqual(head.headers.get("content-length"), String(archive.length));
    })
  );

  it.effect("are available once the extraction is complete, for its account", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(10_000), yield* app.account(0)];
      const id = yield* app.finished(me, { url: ARTICLE });
      const { json: stuck } = yield* app.call("/v1/extractions", { key: me.key, body: { url: STUCK } });
      const ask = (of: string, key: string) =>
        Effect.map(app.call(`/v1/extractions/${of}/files.zip`, { key }), ({ status }) => status);
      assert.strictEqual(yield* ask(stuck.id, me.key), 404);
      assert.strictEqual(yield* ask(id, other.key), 404);
      assert.strictEqual(yield* ask("ext_none", me.key), 404);
    })
  );
});
