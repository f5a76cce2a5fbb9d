/**
 * docs/deploy: each file parsed in its format, its settings compared with the existing ones, and nginx and
 * Caddy run where they are installed.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { Copy, DockerfileParser, type Instruction } from "dockerfile-ast";
import { assert, describe, it, vi } from "vitest";
import { parse } from "yaml";
import { openStage, nextPort, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const ROOT = path.resolve(import.meta.dirname, "../..");
const DEPLOY = path.join(ROOT, "docs/deploy");
const read = (name: string): Promise<string> => readFile(path.join(DEPLOY, name), "utf8");

const isInstalled = (program: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).error === undefined;

const settingsNamed = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/\bWINNOW_[A-Z_]+/gu)].map(([name]) => name))
];

describe("docs/deploy", () => {
  it("names no setting that the server does not have", async () => {
    const known = settingsNamed(await readFile(path.join(ROOT, "docs/reference/settings.md"), "utf8"));
    for (const name of ["Dockerfile", "compose.yaml", "kubernetes.yaml", "winnow.service"]) {
      for (const setting of settingsNamed(await read(name))) assert.include(known, setting, name);
    }
  });

  it("has a Dockerfile with known instructions, whose copied paths exist", async () => {
    const instructions = DockerfileParser.parse(await read("Dockerfile")).getInstructions();
    const keywords = instructions.map((instruction) => instruction.getKeyword());
    const known = "FROM RUN ENV WORKDIR COPY USER VOLUME EXPOSE HEALTHCHECK CMD".split(" ");
    assert.deepStrictEqual(
      keywords.filter((keyword) => !known.includes(keyword)),
      []
    );
    assert.strictEqual(keywords[0], "FROM");
    const isOfContext = (instruction: Instruction): boolean =>
      instruction instanceof Copy && instruction.getFromFlag() === null;
    for (const copy of instructions.filter(isOfContext)) {
      for (const source of copy.getArguments().slice(0, -1)) {
        assert.isTrue(existsSync(path.join(ROOT, source.getValue())), source.getValue());
      }
    }
    const [program, file] = JSON.parse(instructions.at(-1)?.getArgumentsContent() ?? "") as Array<string>;
    assert.strictEqual(program, "node");
    assert.isTrue(existsSync(path.join(ROOT, file ?? "")), file);
  });

  it("has a compose file with matching services and volumes", async () => {
    const compose = parse(await read("compose.yaml")) as {
      services: Record<string, { volumes?: Array<string>; depends_on?: object; build?: { context: string } }>;
      volumes: Record<string, null>;
    };
    for (const { volumes = [], depends_on = {}, build } of Object.values(compose.services)) {
      for (const volume of volumes) assert.property(compose.volumes, volume.split(":")[0] ?? "");
      for (const service of Object.keys(depends_on)) assert.property(compose.services, service);
      if (build !== undefined) assert.strictEqual(path.resolve(DEPLOY, build.context), ROOT);
    }
  });

  it.skipIf(!isInstalled("systemd-analyze", ["--version"]))(
    "has a unit that systemd reads without a complaint (skipped without systemd)",
    () => {
      const args = ["verify", "--recursive-errors=no", path.join(DEPLOY, "winnow.service")];
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

/** Waits until it forwards requests; if it ends before, `told` reads the reason. */
const started = async (
  program: string,
  args: ReadonlyArray<string>,
  place: { readonly folder: string; readonly url: string; readonly told: () => Promise<string> }
): Promise<Proxy> => {
  const env = { PATH: process.env.PATH, HOME: place.folder };
  const proxy = spawn(program, args, { env, stdio: "ignore" });
  const ended = new Promise((resolve) => proxy.once("exit", resolve));
  for (;;) {
    if (proxy.exitCode !== null) throw new Error(await place.told());
    const isUp = await fetch(`${place.url}/healthz`).then(
      ({ ok }) => ok,
      () => false
    );
    if (isUp) break;
  }
  return {
    url: place.url,
    [Symbol.asyncDispose]: async () => {
      proxy.kill("SIGTERM");
      await ended;
      await rm(place.folder, { recursive: true, force: true });
    }
  };
};

/** nginx with the server block, without TLS, on a local port in front of the service. */
const startNginx = async (serviceUrl: string): Promise<Proxy> => {
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-nginx-"));
  const port = nextPort();
  const block = (await read("nginx.conf"))
    .replace("server 127.0.0.1:8787;", `server ${new URL(serviceUrl).host};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_\w+ .*$/gmu, "");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  );
  const config = path.join(folder, "nginx.conf");
  const log = path.join(folder, "error.log");
  await writeFile(
    config,
    `daemon off; pid ${folder}/pid; error_log ${log};
events {}
http { access_log off; ${temporary.join(" ")}
${block}
}`
  );
  const told = () => readFile(log, "utf8");
  return started("nginx", ["-e", log, "-c", config], { folder, url: `http://127.0.0.1:${port}`, told });
};

/** Caddy with the site, without TLS and its admin endpoint, on a local port in front of the service. */
const startCaddy = async (serviceUrl: string): Promise<Proxy> => {
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-caddy-"));
  const url = `http://127.0.0.1:${nextPort()}`;
  const site = (await read("Caddyfile"))
    .replace("reverse_proxy 127.0.0.1:8787", `reverse_proxy ${new URL(serviceUrl).host}`)
    .replace("winnow.example.com {", `${url} {`);
  const config = path.join(folder, "Caddyfile");
  await writeFile(config, `{\n\tadmin off\n}\n${site}`);
  const args = ["run", "--config", config, "--adapter", "caddyfile"];
  return started("caddy", args, { folder, url, told: () => Promise.resolve("Caddy ended by itself.") });
};

const PROXIES = [
  { name: "nginx", version: "-v", start: startNginx },
  { name: "caddy", version: "version", start: startCaddy }
] as const;

describe.each(PROXIES)("docs/deploy's file for $name", ({ name, start, version }) => {
  it.skipIf(!isInstalled(name, [version]))(
    `passes events on as they come, files by ranges, and big bodies not at all (skipped without ${name})`,
    async () => {
      await using stage = await openStage();
      await using proxy = await start(stage.server.url);
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
