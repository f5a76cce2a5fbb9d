import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { CAROUSEL, ODD_FILES, PUBLIC_URL, TestApp, VIDEO } from "../../TestApp.ts";

layer(TestApp.layer, { excludeTestServices: true })("files", (it) => {
  const odd = Effect.gen(function* () {
    const app = yield* TestApp;
    const me = yield* app.account(10_000);
    const id = yield* app.finished(me, { url: ODD_FILES, force: true });
    const get = (name: string, headers: Record<string, string> = {}, method = "GET") =>
      app.call(`/v1/extractions/${id}/files/${name}`, { key: me.key, headers, method });
    return { ...app, ...me, id, get };
  });

  it.effect("the result lists a URL for every artifact, each of which returns its bytes", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: VIDEO });
      const { json } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      const base = `${PUBLIC_URL}/v1/extractions/${id}/files/`;
      assert.strictEqual(json.artifacts.video, `${base}video.mp4`);
      assert.strictEqual(json.artifacts.transcript, `${base}transcript.txt`);
      assert.deepStrictEqual(json.artifacts.images, []);
      assert.sameMembers(Object.keys(json.artifacts.files), json.summary.files);
      for (const [name, url] of Object.entries<string>(json.artifacts.files)) {
        const file = yield* app.call(url.slice(PUBLIC_URL.length), { key: me.key });
        assert.strictEqual(file.status, 200, name);
        assert.strictEqual(Number(file.headers.get("content-length")), file.text.length);
        assert.strictEqual(file.headers.get("x-content-type-options"), "nosniff");
        assert.strictEqual(file.headers.get("accept-ranges"), "bytes");
        assert.match(file.headers.get("content-disposition") ?? "", /^inline/u);
      }
    })
  );

  it.effect("slides are listed in their order", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: CAROUSEL });
      const { json } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      assert.deepStrictEqual(
        json.artifacts.images.map((url: string) => url.slice(-12)),
        ["image.01.jpg", "image.02.jpg", "image.03.jpg"]
      );
      assert.notProperty(json.artifacts, "video");
    })
  );

  it.effect("a range is 206, a suffix too, and one outside 416", () =>
    Effect.gen(function* () {
      const { get } = yield* odd;
      const whole = yield* get("video.mp4");
      assert.strictEqual(whole.text, "0123456789");
      const part = yield* get("video.mp4", { range: "bytes=2-4" });
      assert.strictEqual(part.status, 206);
      assert.strictEqual(part.text, "234");
      assert.strictEqual(part.headers.get("content-range"), "bytes 2-4/10");
      assert.strictEqual(part.headers.get("content-length"), "3");
      assert.strictEqual(part.headers.get("etag"), whole.headers.get("etag"));
      assert.strictEqual((yield* get("video.mp4", { range: "bytes=-3" })).text, "789");
      assert.strictEqual((yield* get("video.mp4", { range: "bytes=8-" })).text, "89");
      const outside = yield* get("video.mp4", { range: "bytes=10-" });
      assert.strictEqual(outside.status, 416);
      assert.strictEqual(outside.headers.get("content-range"), "bytes */10");
      assert.strictEqual(outside.json.error.code, "invalid_request");
      assert.strictEqual((yield* get("video.mp4", { range: "bytes=1-2,4-5" })).text, "0123456789");
    })
  );

  it.effect("a range is sent only if If-Range matches", () =>
    Effect.gen(function* () {
      const { get } = yield* odd;
      const etag = (yield* get("video.mp4")).headers.get("etag") ?? "";
      const headers = { range: "bytes=0-1" };
      assert.strictEqual((yield* get("video.mp4", { ...headers, "if-range": etag })).status, 206);
      assert.strictEqual((yield* get("video.mp4", { ...headers, "if-range": '"old"' })).status, 200);
    })
  );

  it.effect("a file that the caller already has is 304", () =>
    Effect.gen(function* () {
      const { get } = yield* odd;
      const etag = (yield* get("video.mp4")).headers.get("etag") ?? "";
      const known = yield* get("video.mp4", { "if-none-match": `"x", ${etag}` });
      assert.strictEqual(known.status, 304);
      assert.strictEqual(known.text, "");
      assert.strictEqual(known.headers.get("etag"), etag);
      assert.strictEqual((yield* get("video.mp4", { "if-none-match": '"x"' })).status, 200);
    })
  );

  it.effect("a file or archive that If-Match does not name is 412, whatever else is asked", () =>
    Effect.gen(function* () {
      const { get, id, key, call } = yield* odd;
      const etag = (yield* get("video.mp4")).headers.get("etag") ?? "";
      for (const named of [etag, "*", `"x", ${etag}`]) {
        assert.strictEqual((yield* get("video.mp4", { "if-match": named })).status, 200, named);
      }
      const part = yield* get("video.mp4", { "if-match": etag, range: "bytes=0-1" });
      assert.strictEqual(part.status, 206);
      for (const named of ['"x"', `W/${etag}`, "", etag.slice(1, -1)]) {
        const headers = { "if-match": named, "if-none-match": etag, range: "bytes=99-" };
        const refused = yield* get("video.mp4", headers);
        assert.strictEqual(refused.status, 412, named);
        assert.deepInclude(refused.json.error, { code: "invalid_request", details: { param: "If-Match" } });
        assert.strictEqual((yield* get("video.mp4", headers, "HEAD")).status, 412);
      }
      assert.strictEqual((yield* get("none.txt", { "if-match": '"x"' })).status, 404);
      const archive = (named: string) =>
        call(`/v1/extractions/${id}/files.zip`, { key, headers: { "if-match": named } });
      assert.strictEqual((yield* archive("*")).status, 200);
      assert.strictEqual((yield* archive('"x"')).status, 412);
    })
  );

  it.effect("HEAD returns size and type, ignoring the range", () =>
    Effect.gen(function* () {
      const { get } = yield* odd;
      const head = yield* get("video.mp4", { range: "bytes=0-1" }, "HEAD");
      assert.strictEqual(head.status, 200);
      assert.strictEqual(head.headers.get("content-length"), "10");
      assert.strictEqual(head.headers.get("content-type"), "video/mp4");
      assert.strictEqual(head.text, "");
      assert.strictEqual((yield* get("none.txt", {}, "HEAD")).status, 404);
    })
  );

  it.effect("a type that a browser might execute is sent as a sandboxed attachment", () =>
    Effect.gen(function* () {
      const { get } = yield* odd;
      const page = yield* get("page.html");
      assert.strictEqual(page.status, 200);
      assert.match(page.headers.get("content-disposition") ?? "", /^attachment; filename="page\.html"$/u);
      assert.include(page.headers.get("content-security-policy") ?? "", "sandbox");
      assert.strictEqual(page.headers.get("x-content-type-options"), "nosniff");
    })
  );

  it.effect("a name with a path is 400, an unlisted name 404", () =>
    Effect.gen(function* () {
      const { key, id, raw, get } = yield* odd;
      const bad = [
        "../video.mp4",
        "..%2fvideo.mp4",
        "%2e%2e",
        "..",
        "%252e%252e%252fetc",
        "a/b",
        "a%2Fb",
        "a%5cb",
        "video.mp4%00",
        "video.mp4%2500",
        "//etc/passwd"
      ];
      for (const name of bad) {
        const answer = yield* raw(
          `GET /v1/extractions/${id}/files/${name} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`
        );
        assert.match(answer, /^HTTP\/1\.1 400 /u, name);
        assert.include(answer, '"param":"name"', name);
      }
      for (const name of ["VIDEO.MP4", "audio.m4a", "video.mp4x", "%20"]) {
        assert.strictEqual((yield* get(name)).status, 404, name);
      }
    })
  );

  it.effect("another account's extraction is not found, like one that never existed", () =>
    Effect.gen(function* () {
      const { id, account, call } = yield* odd;
      const { key } = yield* account(0);
      for (const path of ["", "/result", "/files/video.mp4"]) {
        const other = yield* call(`/v1/extractions/${id}${path}`, { key });
        const never = yield* call(`/v1/extractions/ext_00000000000000000000000000${path}`, { key });
        assert.strictEqual(other.status, 404);
        assert.strictEqual(other.text, never.text);
      }
    })
  );
});
