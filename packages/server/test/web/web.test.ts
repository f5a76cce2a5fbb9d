import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { afterAll, assert } from "vitest";
import { webFilesOf } from "../../src/web/WebFiles.ts";
import { TestApp } from "../TestApp.ts";

const SCRIPT = "console.log('the entry');".repeat(20);
const PAGE =
  '<!doctype html><link rel="icon" href="./icon.svg"><script type="module" src="./assets/entry-1.js">';

const folder = mkdtempSync(path.join(tmpdir(), "winnow-web-"));
mkdirSync(path.join(folder, "assets"));
const write = (name: string, content: string | Uint8Array): void =>
  writeFileSync(path.join(folder, name), content);
write("index.html", PAGE);
write("icon.svg", "<svg/>");
write("secret.txt", "not listed");
write("assets/entry-1.js", SCRIPT);
write("assets/entry-1.js.gz", gzipSync(SCRIPT));
write("assets/entry-1.js.br", brotliCompressSync(SCRIPT));
write(
  "assets.json",
  JSON.stringify([
    { name: "index.html", contentType: "text/html; charset=utf-8", isImmutable: false, encodings: [] },
    { name: "icon.svg", contentType: "image/svg+xml", isImmutable: false, encodings: [] },
    {
      name: "assets/entry-1.js",
      contentType: "text/javascript; charset=utf-8",
      isImmutable: true,
      encodings: ["br", "gzip"]
    }
  ])
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Got extends IncomingMessage {
  readonly body: Buffer;
}

/** Like a browser, except that the path is sent unchanged and redirects are not followed. */
const get = (port: number, to: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path: to, method, headers }, (response) => {
      const chunks: Array<Buffer> = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Object.assign(response, { body: Buffer.concat(chunks) })));
    })
      .on("error", reject)
      .end();
  });

const strippingProxy = async (
  base: string,
  to: number
): Promise<AsyncDisposable & { readonly port: number }> => {
  const server = createServer((asked, answer) => {
    const rest = (asked.url ?? "").slice(base.length);
    request({ host: "127.0.0.1", port: to, path: rest, headers: asked.headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve()))
  };
};

type Ask = (to: string, headers?: Record<string, string>, method?: string) => Promise<Got>;

const asking = (test: (ask: Ask) => Promise<void>) =>
  TestApp.use(({ port }) => Effect.promise(() => test((...asked) => get(port, ...asked))));

const webApp = TestApp.with({ webFiles: webFilesOf(folder) });

layer(webApp, { excludeTestServices: true })("the web app's files", (it) => {
  it.effect("are found via the server's root", () =>
    asking(async (ask) => {
      const home = await ask("/");
      assert.strictEqual(home.statusCode, 302);
      assert.strictEqual(home.headers.location, "/app/");
    })
  );

  it.effect("serve the page for every screen, with links that work at any depth", () =>
    asking(async (ask) => {
      for (const screen of ["", "new", "runs/019a", "schemas/winnow.predefined.recipe.v1", "a/b/c"]) {
        const { statusCode, headers, body } = await ask(`/app/${screen}?status=failed`);
        assert.strictEqual(statusCode, 200, screen);
        assert.strictEqual(headers["content-type"], "text/html; charset=utf-8");
        assert.strictEqual(headers["cache-control"], "no-cache");
        const src = /src="([^"]+)"/u.exec(body.toString())?.[1] ?? "";
        const seen = new URL(src, `https://a.example/any/base/app/${screen}`);
        assert.strictEqual(seen.pathname, "/any/base/app/assets/entry-1.js", screen);
      }
    })
  );

  it.effect("respond without the trailing slash too, without a redirect that proxies would loop", () =>
    asking(async (ask) => {
      const bare = await ask("/app?status=failed");
      assert.strictEqual(bare.statusCode, 200);
      const src = /src="([^"]+)"/u.exec(bare.body.toString())?.[1] ?? "";
      assert.strictEqual(
        new URL(src, "https://a.example/any/base/app").pathname,
        "/any/base/app/assets/entry-1.js"
      );
    })
  );

  it.effect("are precompressed in the best encoding the browser accepts, and cacheable forever", () =>
    asking(async (ask) => {
      const asked = async (coding: string) => ask("/app/assets/entry-1.js", { "accept-encoding": coding });
      const brotli = await asked("gzip, deflate, br, zstd");
      assert.strictEqual(brotli.headers["content-encoding"], "br");
      assert.strictEqual(brotli.headers["cache-control"], "public, max-age=31536000, immutable");
      assert.include(brotli.headers.vary ?? "", "accept-encoding");
      assert.strictEqual(brotli.headers["content-type"], "text/javascript; charset=utf-8");
      const gzip = await asked("gzip, br;q=0");
      assert.strictEqual(gzip.headers["content-encoding"], "gzip");
      assert.strictEqual(gunzipSync(gzip.body).toString(), SCRIPT);
      assert.notStrictEqual(gzip.headers.etag, brotli.headers.etag);
      const plain = await asked("identity");
      assert.isUndefined(plain.headers["content-encoding"]);
      assert.strictEqual(plain.body.toString(), SCRIPT);
      const again = await ask("/app/assets/entry-1.js", {
        "accept-encoding": "br",
        "if-none-match": brotli.headers.etag!
      });
      assert.strictEqual(again.statusCode, 304);
      assert.strictEqual(again.body.length, 0);
      const head = await ask("/app/assets/entry-1.js", { "accept-encoding": "identity" }, "HEAD");
      assert.strictEqual(head.headers["content-length"], String(SCRIPT.length));
    })
  );

  it.effect("allow only the server's own scripts, styles and images", () =>
    asking(async (ask) => {
      for (const to of ["/app/", "/app/runs/1", "/app/assets/entry-1.js"]) {
        const { headers } = await ask(to);
        const policy = String(headers["content-security-policy"]);
        assert.include(policy, "default-src 'none'");
        assert.include(policy, "require-trusted-types-for 'script'");
        assert.include(policy, "frame-ancestors 'none'");
        assert.notMatch(policy, /unsafe|data:|https?:|\*/u);
        assert.strictEqual(headers["x-content-type-options"], "nosniff");
        assert.strictEqual(headers["referrer-policy"], "no-referrer");
      }
    })
  );

  it.effect("are those of the list alone", () =>
    asking(async (ask) => {
      for (const to of [
        "assets/gone-2.js",
        "secret.txt",
        "assets.json",
        "assets/../secret.txt",
        "%2e%2e/package.json"
      ]) {
        const { statusCode, body } = await ask(`/app/${to}`);
        assert.strictEqual(statusCode, 404, to);
        assert.strictEqual(JSON.parse(body.toString()).error.code, "not_found");
      }
    })
  );

  it.effect("work behind a proxy that cuts off the path they lie under", () =>
    Effect.gen(function* () {
      const { port } = yield* TestApp;
      yield* Effect.promise(async () => {
        await using proxy = await strippingProxy("/any/base", port);
        const page = await get(proxy.port, "/any/base/app/runs/019a");
        const src = /src="([^"]+)"/u.exec(page.body.toString())?.[1] ?? "";
        const { pathname } = new URL(src, "http://proxy/any/base/app/runs/019a");
        const script = await get(proxy.port, pathname);
        assert.strictEqual(script.statusCode, 200);
        assert.strictEqual(script.body.toString(), SCRIPT);
      });
    })
  );
});

layer(TestApp.layer, { excludeTestServices: true })("without the package", (it) => {
  it.effect("there is nothing at /app/", () =>
    asking(async (ask) => {
      for (const to of ["/app", "/app/", "/app/new"]) assert.strictEqual((await ask(to)).statusCode, 404);
    })
  );
});
