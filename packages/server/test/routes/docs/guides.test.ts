import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { TestApp } from "../../TestApp.ts";

const repositoryFile = (name: string): string =>
  readFileSync(new URL(`../../../../../${name}`, import.meta.url), "utf8");

/** Not through the checks of the contract: guides, like the web app, are no part of the API's description. */
const asking = (url: string) => (path: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  });

const hrefs = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/ (?:href|src)="(\/docs[^"]*)"/gu)].map(([, href]) => href ?? "");

layer(TestApp.layer, { excludeTestServices: true })("the guides", (it) => {
  it.effect("are pages whose links all lead to a page, an anchor or a picture", () =>
    Effect.gen(function* () {
      const call = asking((yield* TestApp).url);
      const pages = new Map<string, string>();
      const open = ["/docs/README", "/docs/start"];
      const anchors: Array<string> = [];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const [path = ""] = next.split("#");
        if (next.includes("#")) anchors.push(next);
        if (pages.has(path) || path === "/docs/search" || path === "/docs") continue;
        const { status, headers, text } = yield* call(path);
        assert.strictEqual(status, 200, next);
        pages.set(path, path.endsWith(".png") ? "" : text);
        if (path.endsWith(".png")) {
          assert.strictEqual(headers.get("content-type"), "image/png");
          continue;
        }
        assert.lengthOf(text.match(/<script/gu) ?? [], 1, path);
        assert.notMatch(text, / style="| on\w+="| src="(?!\/docs\/images\/)/u, path);
        open.push(...hrefs(text));
      }
      for (const anchor of anchors) {
        const [path = "", id = ""] = anchor.split("#");
        assert.include(pages.get(path) ?? "", ` id="${id}"`, anchor);
      }
      for (const name of [
        "pricing",
        "troubleshooting",
        "schemas",
        "webhooks",
        "web-app",
        "reference/settings"
      ])
        assert.isTrue(pages.has(`/docs/${name}`), name);
    })
  );

  it.effect("are in four groups, each guide once, with the way to the app and to the reference", () =>
    Effect.gen(function* () {
      const { text } = yield* asking((yield* TestApp).url)("/docs/start");
      const nav = /<nav[\s\S]*?<\/nav>/u.exec(text)?.[0] ?? "";
      assert.lengthOf(nav.match(/<h2>/gu) ?? [], 4);
      const links = [...nav.matchAll(/href="([^"]*)"/gu)].map(([, href]) => href);
      assert.includeMembers(links, ["/", "/docs", "/docs/start", "/docs/contract"]);
      assert.strictEqual(new Set(links).size, links.length);
    })
  );

  it.effect("have coloured code, which is otherwise as it was written", () =>
    Effect.gen(function* () {
      const { text } = yield* asking((yield* TestApp).url)("/docs/webhooks");
      assert.match(text, /<code>(?:[^<]*<span class="hljs-\w+">[^<]*<\/span>)+/u);
      assert.include(text.replaceAll(/<\/?span[^>]*>/gu, ""), "import { verifyWebhook");
    })
  );

  it.effect("are searched without scripts, and the words are shown as text", () =>
    Effect.gen(function* () {
      const call = asking((yield* TestApp).url);
      const { text } = yield* call("/docs/search?q=verify%20signature");
      assert.match(text, /href="\/docs\/webhooks#/u);
      const hostile = yield* call("/docs/search?q=%3Cb%3E");
      assert.notInclude(hostile.text, "<b>");
      assert.strictEqual((yield* call("/docs/search")).status, 200);
    })
  );

  it.effect("allow their one script, forms and pictures of this server only", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* asking((yield* TestApp).url)("/docs/start");
      const policy = headers.get("content-security-policy") ?? "";
      const script = /<script>([\s\S]*?)<\/script>/u.exec(text)?.[1] ?? "";
      const digest = createHash("sha256").update(script).digest("base64");
      for (const rule of [
        "default-src 'none'",
        "form-action 'self'",
        "img-src 'self' data:",
        `script-src 'sha256-${digest}'`,
        "require-trusted-types-for 'script'; trusted-types 'none'"
      ])
        assert.include(policy, rule);
    })
  );

  it.effect("lead old pages of the reference on to it", () =>
    Effect.gen(function* () {
      const { url } = yield* TestApp;
      const answer = yield* Effect.promise(() => fetch(`${url}/docs/api/types`, { redirect: "manual" }));
      assert.deepStrictEqual([answer.status, answer.headers.get("location")], [301, "/docs"]);
    })
  );

  it.effect("do not exist under other names", () =>
    Effect.gen(function* () {
      const call = asking((yield* TestApp).url);
      for (const path of ["/docs/nothing", "/docs/start.md", "/docs/..%2FREADME", "/docs/images/none.png"])
        assert.strictEqual((yield* call(path)).status, 404, path);
    })
  );

  it.effect("have the colours and the icon of the web app", () =>
    Effect.gen(function* () {
      const call = asking((yield* TestApp).url);
      const { text } = yield* call("/docs/start");
      const tokens = repositoryFile("packages/dashboard/src/styles/tokens.css");
      const [, root = ""] =
        /:root \{([\s\S]*?)\}/u.exec(/<style>([\s\S]*?)<\/style>/u.exec(text)?.[1] ?? "") ?? [];
      const colours = [...root.matchAll(/--[\w-]+: light-dark\([^)]*\);/gu)].map(([colour]) => colour);
      assert.isAbove(colours.length, 5);
      for (const colour of colours) assert.include(tokens, colour);
      const drawing = repositoryFile("packages/dashboard/src/public/icon.svg").replace(/^<svg[^>]*>/u, "");
      assert.include(text, drawing.replaceAll(/\n\s*/gu, ""));
    })
  );
});
