// @module-tag long
/**
 * docs/deploy and contrib: their settings and metrics compared with the existing ones, and nginx run where it is
 * installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { assert, describe, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { isInstalled } from "./isInstalled.ts";
import { NO_NGINX, startNginx } from "./Nginx.ts";
import { openStage, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

const namesIn = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...text.matchAll(pattern)].map(([name]) => name));

const SETTING = /\bWINNOW_[A-Z_]+/gu;

describe("docs/deploy and contrib", () => {
  it("name no setting that the server does not have", async () => {
    const known = namesIn(await read("docs/reference/settings.md"), SETTING);
    const files = globSync(["docs/deploy/*.*", "docs/deploy/Dockerfile", "docs/team.md", "contrib/*.*"], {
      cwd: ROOT
    });
    assert.isAbove(files.length, 8);
    for (const file of files) {
      for (const setting of namesIn(await read(file), SETTING)) assert.isTrue(known.has(setting), file);
    }
  });

  it("have YAML that parses, and health checks at paths of the server", async () => {
    const { paths } = JSON.parse(await read("packages/server/openapi.json")) as { readonly paths: object };
    for (const file of globSync("{docs/deploy,contrib}/*.yaml", { cwd: ROOT })) {
      const text = await read(file);
      for (const { errors } of parseAllDocuments(text)) assert.isEmpty(errors, file);
      for (const [, checked = ""] of text.matchAll(/^ +path: (\/\S+)$/gmu))
        assert.property(paths, checked, file);
    }
  });

  it("have a Dockerfile whose copied paths and command exist", async () => {
    const text = (await read("docs/deploy/Dockerfile")).replaceAll(/\\\n\s*/gu, "");
    const copied = [...text.matchAll(/^COPY (?!--)(.+) \S+$/gmu)].flatMap(([, from = ""]) => from.split(" "));
    const [, , file = ""] = /^CMD \["node", ("([^"]+)")/mu.exec(text) ?? [];
    assert.isAbove(copied.length, 5);
    for (const place of [...copied, file]) assert.isTrue(existsSync(path.join(ROOT, place)), place);
  });

  it.skipIf(!isInstalled("systemd-analyze"))(
    "has a unit that systemd reads without a complaint (skipped without systemd)",
    () => {
      const args = ["verify", "--recursive-errors=no", path.join(ROOT, "docs/deploy/winnow.service")];
      const { stderr, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
      const complaints = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("winnow.service"));
      // Complaints about a program that this machine does not have are not errors of the unit.
      assert.deepStrictEqual(
        complaints.filter((line) => !/is not executable|is not installed/u.test(line)),
        []
      );
    }
  );
});

describe("docs/deploy/nginx.conf", () => {
  it.skipIf(NO_NGINX)(
    "passes events on as they come, files by ranges, and big bodies not at all (skipped without nginx)",
    async () => {
      await using stage = await openStage();
      await using proxy = await startNginx(stage.server.url);
      const { apiKey } = await stage.account();
      const winnow = new Winnow({ apiKey, baseUrl: proxy.url });
      // A proxy that buffers would never forward the first event, because the run only ends after that.
      stage.site.hold();
      const run = await winnow.submit({ url: `${stage.site.url}/talk` });
      const phases: Array<string> = [];
      for await (const { event } of winnow.extractions.events(run.id)) {
        stage.site.release();
        phases.push(event);
      }
      assert.strictEqual(phases[0], "progress");
      assert.strictEqual(phases.at(-1), "result");
      const part = await winnow.files.get(run.id, "video.mp4", { range: { start: 4, end: 7 } });
      assert.strictEqual(part.status, 206);
      assert.strictEqual(await part.text(), "ftyp");
      const big = await fetch(`${proxy.url}/v1/probe`, {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ url: "https://example.com/", prompt: "x".repeat(400_000) })
      });
      assert.strictEqual(big.status, 413);
      assert.strictEqual((await fetch(`${proxy.url}/metrics`)).status, 200);
    }
  );
});
