// @module-tag long: its own servers, behind nginx and with WINNOW_ROLE
/**
 * docs/deploy and contrib: their settings and metrics compared with the existing ones, and nginx run where it is
 * installed.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { assert, describe, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { newFolder } from "./newFolder.ts";
import { newDatabaseUrl, startSharedServer } from "./SharedServer.ts";
import { nextPort, openStage, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

const isInstalled = (program: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).error === undefined;

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

  it.skipIf(!isInstalled("systemd-analyze", ["--version"]))(
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

interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** nginx with the server block, without TLS, on a local port in front of one process or two. */
const startNginx = async (...serviceUrls: ReadonlyArray<string>): Promise<Proxy> => {
  const folder = await newFolder("nginx");
  const host = `127.0.0.1:${nextPort()}`;
  const block = (await read("docs/deploy/nginx.conf"))
    .replaceAll(/127\.0\.0\.1:878([78])/gu, (_, last: string) => {
      const [first = "", second = first] = serviceUrls;
      return new URL(last === "7" ? first : second).host;
    })
    .replace("listen 443 ssl;", `listen ${host};`)
    .replaceAll(/^ *ssl_\w+ .*$/gmu, "");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  );
  const config = path.join(folder, "nginx.conf");
  const log = path.join(folder, "error.log");
  const http = `http { access_log off; ${temporary.join(" ")}\n${block}\n}`;
  await writeFile(config, `daemon off; pid ${folder}/pid; error_log ${log};\nevents {}\n${http}`);
  const nginx = spawn("nginx", ["-e", log, "-c", config], { stdio: "ignore" });
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  const isUp = () =>
    fetch(`http://${host}/healthz`).then(
      ({ ok }) => ok,
      () => false
    );
  while (!(await isUp())) if (nginx.exitCode !== null) throw new Error(await readFile(log, "utf8"));
  return {
    url: `http://${host}`,
    [Symbol.asyncDispose]: async () => {
      nginx.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    }
  };
};

describe("docs/deploy/nginx.conf", () => {
  it.skipIf(!isInstalled("nginx", ["-v"]))(
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

  it.skipIf(!isInstalled("nginx", ["-v"]))(
    "loses no request while two processes are replaced one by one (skipped without nginx)",
    async () => {
      const folder = await newFolder("rolling");
      const database = await newDatabaseUrl();
      const start = (port: number) =>
        startSharedServer(database, path.join(folder, String(port)), "", {
          WINNOW_PORT: String(port),
          WINNOW_ROLE: "api",
          WINNOW_ARTIFACTS_URL: `file:${folder}/artifacts`
        });
      const ports = [nextPort(), nextPort()];
      const servers = await Promise.all(ports.map(start));
      await using proxy = await startNginx(...servers.map(({ url }) => url));
      const answers: Array<string> = [];
      const replaced = new AbortController();
      const ask = async (path: string, method: string) => {
        while (!replaced.signal.aborted) {
          const answer = await fetch(`${proxy.url}${path}`, { method });
          await answer.text();
          answers.push(`${method} ${path} ${answer.status}`);
        }
      };
      const asking = [ask("/healthz", "GET"), ask("/v1/account", "GET"), ask("/v1/extractions", "POST")];
      try {
        // nginx then has connections to both.
        await vi.waitUntil(() => answers.length > 50, { timeout: 60_000 });
        for (const [index, port] of ports.entries()) {
          await servers[index]?.[Symbol.asyncDispose]();
          servers[index] = await start(port);
        }
      } finally {
        replaced.abort();
        await Promise.allSettled(asking);
        for (const server of servers) await server[Symbol.asyncDispose]();
        await rm(folder, { recursive: true, force: true });
      }
      await Promise.all(asking);
      assert.isAbove(answers.length, 50);
      // Without a key.
      const wanted = ["GET /healthz 200", "GET /v1/account 401", "POST /v1/extractions 401"];
      assert.deepStrictEqual([...new Set(answers)].toSorted(), wanted);
    }
  );
});
