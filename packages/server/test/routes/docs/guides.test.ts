import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as HttpRouter from "effect/http/HttpRouter";
import { afterAll, assert, describe, it } from "vitest";
import { guideFiles } from "../../../scripts/guides.ts";
import * as GuidesHttp from "../../../src/routes/docs/GuidesHttp.ts";

const repositoryFile = (name: string): string =>
  readFileSync(new URL(`../../../../../${name}`, import.meta.url), "utf8");

const files = guideFiles();
const pageOf = (name: string): string => String(files.get(`${name}.html`));
const names = [...files.keys()]
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.replace(/\.html$/u, ""));

describe("the guides", () => {
  it("are pages whose links all lead to a page, an anchor or a file of the site, below any path", () => {
    for (const name of names) {
      const page = pageOf(name);
      assert.lengthOf(page.match(/<script/gu) ?? [], 1, name);
      assert.notMatch(page, / style="| on\w+="| (?:href|src)="\//u, name);
      for (const [, href = ""] of page.matchAll(/ (?:href|src|action)="([^"]*)"/gu)) {
        if (/^[a-z]+:/u.test(href)) continue;
        const { pathname, hash } = new URL(href, `http://docs/winnow/docs/${name}`);
        if (pathname === "/winnow/" || pathname === "/winnow/docs") continue;
        const target = pathname.replace("/winnow/docs/", "");
        const file = files.get(`${target}.html`) ?? files.get(target);
        assert.isDefined(file, `${name}: ${href}`);
        if (hash !== "") assert.include(String(file), ` id="${hash.slice(1)}"`, `${name}: ${href}`);
      }
    }
    assert.includeMembers(names, ["README", "pricing", "troubleshooting", "schemas", "reference/settings"]);
  });

  it("are in four groups, each guide once, with the way to the app and to the reference", () => {
    const nav = /<nav[\s\S]*?<\/nav>/u.exec(pageOf("start"))?.[0] ?? "";
    assert.lengthOf(nav.match(/<h2>/gu) ?? [], 4);
    const links = [...nav.matchAll(/href="([^"]*)"/gu)].map(([, href]) => href);
    assert.includeMembers(links, ["../", "../docs", "start", "contract"]);
    assert.strictEqual(new Set(links).size, links.length);
  });

  it("have coloured code, which is otherwise as it was written", () => {
    const page = pageOf("webhooks");
    assert.match(page, /<code>(?:[^<]*<span class="hljs-\w+">[^<]*<\/span>)+/u);
    assert.include(page.replaceAll(/<\/?span[^>]*>/gu, ""), "import { verifyWebhook");
  });

  it("have an index of every heading for their search", () => {
    const places = JSON.parse(String(files.get("search.json"))) as ReadonlyArray<Record<string, string>>;
    const verify = places.find(({ href }) => href === "webhooks#verify");
    assert.strictEqual(verify?.["title"], "Webhooks: Verify");
    assert.include(verify?.["text"], "payload");
    for (const { href = "" } of places) {
      const [name = "", anchor = ""] = href.split("#");
      assert.include(pageOf(name), ` id="${anchor}"`, href);
    }
  });

  it("have the colours and the icon of the web app", () => {
    const page = pageOf("start");
    const tokens = repositoryFile("packages/dashboard/src/styles/tokens.css");
    const [, root = ""] =
      /:root \{([\s\S]*?)\}/u.exec(/<style>([\s\S]*?)<\/style>/u.exec(page)?.[1] ?? "") ?? [];
    const colours = [...root.matchAll(/--[\w-]+: light-dark\([^)]*\);/gu)].map(([colour]) => colour);
    assert.isAbove(colours.length, 5);
    for (const colour of colours) assert.include(tokens, colour);
    const drawing = repositoryFile("packages/dashboard/src/public/icon.svg").replace(/^<svg[^>]*>/u, "");
    assert.include(page, drawing.replaceAll(/\n\s*/gu, ""));
  });
});

describe("a server with the guides", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "guides-"));
  for (const name of ["start.html", "search.json", "notes.txt"])
    writeFileSync(path.join(folder, name), String(files.get(name) ?? "of nobody"));
  const { handler, dispose } = HttpRouter.toWebHandler(GuidesHttp.layer(folder), { disableLogger: true });
  const get = (path: string) => handler(new Request(`http://docs${path}`));
  afterAll(async () => {
    await dispose();
    rmSync(folder, { recursive: true });
  });

  it("allows their script, forms and pictures of this server only", async () => {
    const { status, headers } = await get("/docs/start");
    assert.strictEqual(status, 200);
    assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8");
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of [
      "default-src 'none'",
      "form-action 'self'",
      "img-src 'self' data:",
      "script-src 'self'",
      "require-trusted-types-for 'script'; trusted-types 'none'"
    ])
      assert.include(policy, rule);
  });

  it("has files of the site under their names, and nothing else", async () => {
    assert.strictEqual((await get("/docs/search.json")).headers.get("content-type"), "application/json");
    for (const path of ["nothing", "start.html", "start.md", "notes.txt", "..%2Fstart", "images/none.png"])
      assert.strictEqual((await get(`/docs/${path}`)).status, 404, path);
  });
});
