/** The packages as published: packed, linted, installed into an empty project and used there. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
// Imported by path, independent of the export conditions that the test runner sets.
import {
  checkPackage,
  createPackageFromTarballData
} from "../../node_modules/@arethetypeswrong/core/dist/index.js";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { EXPORTING, publicEntries } from "../exports.ts";
import type { PackageName } from "../release/stage.ts";
import { unpacked } from "./installed.ts";
import { archives } from "./PackagesBroker.ts";

/** Compilers and packers, on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const run = promisify(execFile);

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Packages with code for Node; the web app consists of files for browsers. */
const NAMES = EXPORTING;

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly engines?: { readonly node?: string };
  readonly sideEffects?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** All packages are ESM only, so the results for old resolvers and `require` do not count. */
const ACCEPTED_PROBLEMS = new Set(["CJSResolvesToESM"]);
const ACCEPTED_RESOLUTIONS = new Set(["node10", "node16-cjs"]);

let folder = "";
let project = "";

let tarballs: Readonly<Record<PackageName, string>>;
const installedAt = (name: string): string => path.join(project, "node_modules/@winnow", name);

const manifestOf = async (name: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(installedAt(name), "package.json"), "utf8")) as Manifest;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-packages-"));
  project = path.join(folder, "project");
  tarballs = await archives();
  await Promise.all(
    Object.entries(tarballs).map(([name, archive]) => unpacked(ROOT, project, name, archive))
  );
  await mkdir(path.join(project, "node_modules/@types"), { recursive: true });
  await symlink(
    await realpath(path.join(ROOT, "node_modules/@types/node")),
    path.join(project, "node_modules/@types/node")
  );
  await writeFile(path.join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a module in the project; returns its output. */
const output = async (program: string, source: string): Promise<string> => {
  const file = path.join(project, `${crypto.randomUUID()}.mjs`);
  await writeFile(file, source);
  const { stdout } = await run(program, [file], { cwd: project });
  return stdout.trim();
};

/** The output of an MCP server, up to its list of tools. */
const toolsOf = async (program: string): Promise<string> => {
  const host = spawn(process.execPath, [program, "mcp"], { stdio: ["pipe", "pipe", "inherit"] });
  const clientInfo = { name: "test", version: "1" };
  const messages = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" }
  ];
  for (const message of messages) host.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let output = "";
  for await (const chunk of host.stdout.setEncoding("utf8")) {
    output += String(chunk);
    if (output.includes('"id":2')) host.stdin.end();
  }
  return output;
};

/** The compiler's errors for a module in the project; empty if there are none. */
const typeErrors = async (source: string, options: ReadonlyArray<string>): Promise<string> => {
  const file = path.join(project, `${crypto.randomUUID()}.ts`);
  await writeFile(file, source);
  const tsc = path.join(ROOT, "node_modules/.bin/tsc");
  const strict = ["--noEmit", "--strict", "--target", "es2024", "--skipLibCheck", "false"];
  const { stdout } = await run(tsc, [...strict, ...options, file], { cwd: project }).catch(
    (error: { readonly stdout: string }) => error
  );
  return stdout;
};

describe("@winnow/dashboard", () => {
  it("contains every listed file, including compressed ones, and no others", async () => {
    const app = path.join(installedAt("dashboard"), "dist/app");
    const assets = JSON.parse(await readFile(path.join(app, "assets.json"), "utf8")) as ReadonlyArray<{
      readonly name: string;
      readonly encodings: ReadonlyArray<string>;
    }>;
    const suffixes: Readonly<Record<string, string>> = { br: ".br", gzip: ".gz" };
    const listed = assets.flatMap(({ name, encodings }) => [
      name,
      ...encodings.map((encoding) => `${name}${suffixes[encoding] ?? ""}`)
    ]);
    const entries = await readdir(app, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const found = files.map((entry) => path.relative(app, path.join(entry.parentPath, entry.name)));
    assert.sameMembers(found, ["assets.json", ...listed]);
  });

  it("is an optional dependency of the server", async () => {
    const { optionalDependencies } = await manifestOf("server");
    const { version } = await manifestOf("dashboard");
    assert.deepStrictEqual(optionalDependencies, { "@winnow/dashboard": version });
  });
});

describe.each(NAMES)("@winnow/%s", (name) => {
  it("passes publint", async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(await readFile(tarballs[name])).buffer },
      strict: true
    });
    assert.deepStrictEqual(
      messages.map((message) => formatMessage(message, pkg)),
      []
    );
  });

  it("has types that resolve correctly", async () => {
    const packed = createPackageFromTarballData(new Uint8Array(await readFile(tarballs[name])));
    const result = await checkPackage(packed, {
      entrypoints: publicEntries(name).map((entry) => entry.name.slice(`@winnow/${name}/`.length) || ".")
    });
    assert.notStrictEqual(result.types, false);
    const problems = "problems" in result ? result.problems : [];
    const real = problems.filter(
      (problem) =>
        !ACCEPTED_PROBLEMS.has(problem.kind) &&
        !("resolutionKind" in problem && ACCEPTED_RESOLUTIONS.has(problem.resolutionKind))
    );
    assert.deepStrictEqual(real, []);
  });

  it("declares licence, engines and side effects, and depends on exact versions", async () => {
    const manifest = await manifestOf(name);
    assert.strictEqual(manifest.license, "MIT");
    assert.strictEqual(manifest.engines?.node, name === "client" ? "^20.19.0 || >=22.12.0" : ">=22.19");
    assert.property(manifest, "sideEffects");
    for (const [dependency, version] of Object.entries(manifest.dependencies ?? {})) {
      assert.match(version, /^\d+\.\d+\.\d+/u, dependency);
    }
    for (const peer of Object.keys(manifest.peerDependencies ?? {})) {
      assert.isTrue(manifest.peerDependenciesMeta?.[peer]?.optional, `${peer} is optional`);
    }
    assert.isTrue(existsSync(path.join(installedAt(name), "LICENSE")));
  });

  it("does not refer to source maps, which are not published", async () => {
    const all = await readdir(installedAt(name), { recursive: true });
    const files = all.filter((file) => !file.startsWith("node_modules"));
    assert.deepStrictEqual(
      files.filter((file) => file.endsWith(".map")),
      []
    );
    for (const file of files.filter((each) => /\.(?:js|ts)$/u.test(each))) {
      const text = await readFile(path.join(installedAt(name), file), "utf8");
      assert.notMatch(text, /^\/\/# sourceMappingURL=/mu, file);
    }
  });

  it("does not conflict with the project's test packages: npm checks optional peers too", async () => {
    const { peerDependencies = {} } = await manifestOf(name);
    for (const runner of ["vitest", "@effect/vitest"]) {
      assert.include([undefined, "*"], peerDependencies[runner], runner);
    }
  });
});

const NODE_20 = [
  process.env.npm_node_execpath,
  ...(process.env.PATH ?? "").split(path.delimiter).map((each) => path.join(each, "node"))
]
  .filter((file) => file !== undefined)
  .find(
    (file) => existsSync(file) && execFileSync(file, ["--version"], { encoding: "utf8" }).startsWith("v20.")
  );

const USE_CLIENT = `
  import { Winnow, WinnowError } from "@winnow/client";
  import { Winnow as NodeWinnow } from "@winnow/client/node";
  import { signWebhook, verifyWebhook } from "@winnow/client/webhooks";
  const secret = "whsec_dGVzdA==";
  const payload = '{"event":"test","data":{}}';
  const { event } = await verifyWebhook({ payload, headers: await signWebhook({ payload, secret }), secret });
  const fetch = async () => Response.json({ id: "acc_1" });
  const { id } = await new Winnow({ apiKey: "k", fetch }).account();
  const isSame = new NodeWinnow({ apiKey: "k" }) instanceof Winnow;
  console.log(JSON.stringify([event, id, isSame, new WinnowError("m").name]));
`;

const USE_SERVER = `
  import * as Pricing from "@winnow/core/domain/money/Pricing";
  import { readSourceUrl } from "@winnow/core/source-url";
  import { vetUrl } from "@winnow/adapters/egress";
  import { readPage } from "@winnow/adapters/page";
  import { openApiDocument } from "@winnow/server";
  const html = new TextEncoder().encode("<title>Soup</title><p>Chop the tomatoes and fry them in oil.</p>");
  const page = await readPage(html, { url: "https://a.example/", contentType: "text/html" });
  const vetted = await vetUrl("http://127.0.0.1/", { profile: "page" });
  const { ok } = readSourceUrl("https://a.example/?utm_source=x");
  console.log(JSON.stringify([typeof Pricing, page.title, vetted.ok, ok, typeof openApiDocument]));
  process.exit(0);
`;

const CLIENT_CONSUMER = `
  import { Winnow, type CompleteResult } from "@winnow/client";
  import { verifyWebhook, type WebhookEvent } from "@winnow/client/webhooks";
  const schema = { type: "object", properties: { dish: { type: "string" } }, required: ["dish"] } as const;
  export const dish = async (winnow: Winnow): Promise<string | undefined> => {
    const done = await winnow.extract({ url: "https://a.example/", schema });
    const same: CompleteResult<{ dish: string }> = done;
    return same.extraction?.dish;
  };
  export const event = (payload: string): Promise<WebhookEvent> => verifyWebhook({ payload, headers: {} });
`;

/** The compiler's errors name the same type of an extraction that an editor shows. */
const CLIENT_MISTAKES = `
  import { Winnow } from "@winnow/client";
  const properties = { dish: { type: "string" }, minutes: { type: ["integer", "null"] } } as const;
  const schema = { type: "object", properties, required: ["dish"] } as const;
  export const wrong = async (winnow: Winnow): Promise<number> => {
    const done = await winnow.extract({ url: "https://a.example/", schema });
    return done.outcome === "ok" ? done.extraction : 0;
  };
`;

const SERVER_CONSUMER = `
  import { readSourceUrl } from "@winnow/core/source-url";
  import { vetUrl } from "@winnow/adapters/egress";
  import { readPage } from "@winnow/adapters/page";
  export const titleOf = async (bytes: Uint8Array, url: string): Promise<string | null> =>
    (await readPage(bytes, { url, contentType: "text/html" })).title;
  export const isPublic = async (url: string): Promise<boolean> => (await vetUrl(url, { profile: "page" })).ok;
  export const normalised = (url: string): string => {
    const read = readSourceUrl(url);
    return read.ok ? read.url : read.reason;
  };
`;

const NODE_NEXT = ["--module", "nodenext", "--types", "", "--lib", "es2024,dom"];
const BUNDLER = ["--module", "esnext", "--moduleResolution", "bundler", "--types", "", "--lib", "es2024,dom"];
const BESIDE_NODE = ["--module", "nodenext", "--types", "node", "--lib", "es2024,dom"];

describe("in an empty project", () => {
  it.skipIf(NODE_20 === undefined)(
    `the client works on Node 20${NODE_20 === undefined ? " (skipped: it is not here)" : ""}`,
    async () => {
      const printed = await output(NODE_20 ?? "", USE_CLIENT);
      assert.deepStrictEqual(JSON.parse(printed), ["test", "acc_1", true, "WinnowError"]);
    }
  );

  it("npm installs the client without a registry or dependencies", async () => {
    const empty = path.join(folder, "empty");
    await mkdir(empty);
    await writeFile(path.join(empty, "package.json"), JSON.stringify({ type: "module", private: true }));
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarballs.client], {
      cwd: empty
    });
    const installed = await readdir(path.join(empty, "node_modules/@winnow"));
    assert.deepStrictEqual(installed, ["client"]);
    await writeFile(path.join(empty, "use.mjs"), USE_CLIENT);
    const { stdout } = await run(process.execPath, ["use.mjs"], { cwd: empty });
    assert.include(stdout, "acc_1");
  });

  it("core, adapters and server work on this Node without the drivers that are optional", async () => {
    const printed = await output(process.execPath, USE_SERVER);
    assert.deepStrictEqual(JSON.parse(printed), ["object", "Soup", false, true, "function"]);
  });

  it("the winnow program starts", async () => {
    const program = path.join(installedAt("server"), "bin/winnow.mjs");
    const { stdout } = await run(process.execPath, [program, "--version"]);
    assert.include(stdout, (await manifestOf("server")).version);
  });

  it("hosts can start the tools from both packages, the server's without the client", async () => {
    const bridge = path.join(installedAt("client"), "bin/winnow-client.mjs");
    const { stdout } = await run(process.execPath, [bridge, "mcp", "--print-config", "cursor"]);
    assert.deepStrictEqual(JSON.parse(stdout).mcpServers.winnow.args, ["-y", "@winnow/client", "mcp"]);
    const client = installedAt("client");
    await rename(client, `${client}-away`);
    try {
      assert.include(
        await toolsOf(path.join(installedAt("server"), "bin/winnow.mjs")),
        '"cancel_extraction"'
      );
    } finally {
      await rename(`${client}-away`, client);
    }
  });

  const consumers = [
    { what: "the client has no type errors (nodenext)", source: CLIENT_CONSUMER, options: NODE_NEXT },
    { what: "the client has no type errors (bundler)", source: CLIENT_CONSUMER, options: BUNDLER },
    { what: "the server's has none beside @types/node", source: SERVER_CONSUMER, options: BESIDE_NODE }
  ];

  it.each(consumers)("a program that uses $what", async ({ source, options }) => {
    assert.strictEqual(await typeErrors(source, options), "");
  });

  it("a type error refers to the given JSON Schema", async () => {
    const errors = await typeErrors(CLIENT_MISTAKES, NODE_NEXT);
    assert.include(errors, "Type '{ dish: string; minutes?: number | null | undefined; }' is not assignable");
  });
});
