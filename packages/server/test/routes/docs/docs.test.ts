import { createHash } from "node:crypto";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { document } from "../../Contract.ts";
import { TestApp } from "../../TestApp.ts";

/** All of the reference on one page was five times as much. */
const PAGE_CHARACTERS_MAX = 200_000;

layer(TestApp.layer, { excludeTestServices: true })("the pages", (it) => {
  it.effect("list every endpoint and type, each on its page, and every link between them resolves", () =>
    Effect.gen(function* () {
      const { call, url } = yield* TestApp;
      const { status, headers, text } = yield* call("/docs");
      assert.strictEqual(status, 200);
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8");
      const pages = new Map<string, string>([["/docs", text]]);
      const links: Array<URL> = [];
      const follow = (page: string, path: string): void => {
        for (const [, href = ""] of page.matchAll(/ href="([^"]+)"/gu)) {
          const to = new URL(href, `${url}${path}`);
          if (/^\/docs(?:$|\/api\/)/u.test(to.pathname)) links.push(to);
        }
      };
      follow(text, "/docs");
      for (let link = links.shift(); link !== undefined; link = links.shift()) {
        const { pathname, hash } = link;
        if (!pages.has(pathname)) {
          const answer = yield* Effect.promise(() => fetch(`${url}${pathname}`));
          assert.strictEqual(answer.status, 200, pathname);
          const page = yield* Effect.promise(() => answer.text());
          pages.set(pathname, page);
          follow(page, pathname);
        }
        if (hash !== "") assert.include(pages.get(pathname), ` id="${hash.slice(1)}"`, link.href);
      }
      for (const item of Object.values<any>(document.paths)) {
        for (const { operationId, tags } of Object.values<any>(item)) {
          assert.include(text, ` id="${operationId}"`);
          for (const tag of tags)
            assert.include(pages.get(`/docs/api/${tag}`), `<article id="${operationId}"`);
        }
      }
      for (const name of Object.keys(document.components.schemas)) {
        assert.include(text, ` id="schema-${name}"`);
        assert.include(pages.get("/docs/api/types"), `<article id="schema-${name}"`);
      }
      for (const [path, page] of pages) {
        assert.notMatch(page, /\[object Object\]|undefined|9007199254740991/u);
        assert.isBelow(page.length, PAGE_CHARACTERS_MAX, path);
      }
    })
  );

  it.effect("load nothing external, and one script of this server", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { headers, text } = yield* call("/docs");
      assert.deepStrictEqual(text.match(/<script[^>]*>/gu), ['<script src="/docs/docs.js">']);
      assert.notMatch(text, /<iframe|<img|<(?!script )[^>]* src=| on\w+="|@import|url\(/u);
      const outside = [...text.matchAll(/ href="([^"#]+)"/gu)].map(([, href]) => href);
      for (const href of outside)
        assert.match(href ?? "", /^(?:data:image\/svg\+xml;|\/v1\/openapi\.json$|\/docs(?:\/|$))/u);
      const style = /<style>([\s\S]*?)<\/style>/u.exec(text)?.[1] ?? "";
      const digest = createHash("sha256").update(style).digest("base64");
      const policy = headers.get("content-security-policy") ?? "";
      assert.include(policy, "default-src 'none'");
      assert.include(policy, "script-src 'self';");
      assert.include(policy, "connect-src 'self';");
      assert.include(policy, "require-trusted-types-for 'script'; trusted-types 'none'");
      assert.include(policy, `style-src 'sha256-${digest}'`);
    })
  );

  it.effect("are the redirect target of the root URL", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { status, headers } = yield* call("/");
      assert.strictEqual(status, 302);
      assert.strictEqual(headers.get("location"), "/docs");
    })
  );
});
