import { createHash } from "node:crypto";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as OpenApi from "effect/http-api/OpenApi";
import { Api } from "../../../src/routes/Api.ts";
import { TestApp } from "../../TestApp.ts";

const digestsOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/gu)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  );

layer(TestApp.layer, { excludeTestServices: true })("the reference", (it) => {
  it.effect(
    "is the document that the server gives to programs, in one page without a request to elsewhere",
    () =>
      Effect.gen(function* () {
        const { call, url } = yield* TestApp;
        const { status, headers, text } = yield* call("/docs");
        assert.strictEqual(status, 200);
        assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8");
        assert.isFalse(
          /<script[^>]* src=|<link|<iframe/u.test(text.replaceAll(/<script>[\s\S]*?<\/script>/gu, ""))
        );
        const served = yield* Effect.promise(async () => (await fetch(`${url}/v1/openapi.json`)).text());
        const document = JSON.parse(served);
        assert.deepStrictEqual(document, { ...OpenApi.fromApi(Api), servers: document.servers });
        const { paths } = document;
        for (const path of Object.keys(paths)) assert.isTrue(text.includes(`"${path}":`), path);
        for (const label of ["curl", "TypeScript", "Python"])
          assert.isTrue(text.includes(`"label":"${label}"`), label);
      })
  );

  it.effect("runs its own scripts, by their digests, and asks this server only", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* (yield* TestApp).call("/docs");
      const policy = headers.get("content-security-policy") ?? "";
      const digests = digestsOf(text);
      assert.isAbove(digests.length, 0);
      assert.isTrue(policy.includes(`script-src ${digests.join(" ")};`));
      for (const rule of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"])
        assert.include(policy, rule);
      assert.notMatch(policy, /unsafe-eval|https?:|\*/u);
    })
  );

  it.effect("is the redirect target of the root URL", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { status, headers } = yield* call("/");
      assert.strictEqual(status, 302);
      assert.strictEqual(headers.get("location"), "/docs");
    })
  );
});
