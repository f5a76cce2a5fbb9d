import { createHash } from "node:crypto";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { document } from "../../Contract.ts";
import { TestApp } from "../../TestApp.ts";

layer(TestApp.layer, { excludeTestServices: true })("the pages", (it) => {
  it.effect("list every endpoint and schema, and every internal link resolves", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { status, headers, text } = yield* call("/docs");
      assert.strictEqual(status, 200);
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8");
      const ids = new Set([...text.matchAll(/ id="([^"]+)"/gu)].map(([, id]) => id));
      for (const item of Object.values<any>(document.paths)) {
        for (const { operationId } of Object.values<any>(item))
          assert.isTrue(ids.has(operationId), operationId);
      }
      for (const name of Object.keys(document.components.schemas))
        assert.isTrue(ids.has(`schema-${name}`), name);
      const links = [...text.matchAll(/ href="([^"]+)"/gu)].map(([, href]) => href ?? "");
      for (const href of links.filter((each) => each.startsWith("#"))) {
        assert.isTrue(ids.has(href.slice(1)), href);
      }
      assert.notMatch(text, /\[object Object\]|undefined/u);
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
