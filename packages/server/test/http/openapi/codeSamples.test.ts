import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import type { Endpoint } from "../../../src/http/openapi/codeSamples.ts";
import type { Operation } from "../../../src/http/openapi/OpenApiDocument.ts";
import { document, validatorAt } from "../../Contract.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../../..");

interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: unknown;
}
type Requests = Readonly<Record<string, Sent>>;

const endpoints = Object.entries<Record<string, Operation>>(document.paths).flatMap(([of, item]) =>
  Object.entries(item).map(([method, operation]): Endpoint => ({
    method: method.toUpperCase(),
    path: of,
    operation
  }))
);
const examples = endpoints.flatMap((endpoint) => {
  const [curl, typescript, python] = endpoint.operation["x-codeSamples"] ?? [];
  if (curl === undefined || typescript === undefined || python === undefined) return [];
  const code = { curl: curl.source, typescript: typescript.source, python: python.source };
  return [{ id: endpoint.operation.operationId, endpoint, code }];
});

const SETTINGS = {
  WINNOW_URL: "http://docs.example",
  WINNOW_API_KEY: "wnw_key",
  WINNOW_ADMIN_TOKEN: "token",
  WINNOW_SESSION: "session"
};

const bodyIn = (text: string | null | undefined): unknown => {
  if (text === null || text === undefined) return null;
  return text.startsWith("{") ? JSON.parse(text) : text;
};

/** What curl is told: the arguments of each command as a shell passes them. */
const sentByCurl = (): Requests => {
  const script = examples.map(({ id, code }) => `id=${id}\n${code.curl}`).join("\n");
  const printing = `curl() { printf '%s\\0' "$id" "$@" END; }\n`;
  const output = execFileSync("sh", ["-ec", printing + script], { encoding: "utf8", env: SETTINGS });
  const commands = output.split("\0END\0").slice(0, -1);
  return Object.fromEntries(
    commands.map((command) => {
      const [id = "", ...args] = command.split("\0");
      const after = (flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
      const url = new URL(args.find((arg) => arg.startsWith("http:")) ?? assert.fail(command));
      const data = after("-d") ?? after("--data-urlencode");
      const method = after("-X") ?? (data === undefined ? "GET" : "POST");
      return [id, { method, path: url.pathname + url.search, body: bodyIn(data) }];
    })
  );
};

const RECORD_FETCH = `
  import { readdirSync } from "node:fs";
  const sent = {};
  console.log = () => {};
  process.chdir(process.env.OUTPUT);
  for (const file of readdirSync(process.env.EXAMPLES).filter((each) => each.endsWith(".ts"))) {
    let first;
    globalThis.fetch = async (url, { method = "GET", body = null } = {}) => {
      const { pathname, search } = new URL(url, "http://docs.example");
      first ??= { method, path: pathname + search, body: body === null ? null : String(body) };
      return Response.json({}, { status: 404 });
    };
    await import(process.env.EXAMPLES + "/" + file).catch(() => undefined);
    sent[file.slice(0, -3)] = first ?? null;
  }
  process.stdout.write(JSON.stringify(sent));`;

/** A stand-in for the package \`requests\`, which writes down what it is told to send. */
const RECORD_PYTHON = `
import json, os, sys, types, urllib.parse
sent = {}
class Told(Exception):
    pass
def sending(method):
    def send(url, params=None, headers=None, cookies=None, json=None, data=None, stream=False):
        query = "?" + urllib.parse.urlencode(params) if params else ""
        body = json if json is not None else urllib.parse.urlencode(data) if data else None
        sent[current] = {"method": method.upper(), "path": urllib.parse.urlsplit(url).path + query, "body": body}
        raise Told()
    return send
requests = types.ModuleType("requests")
for method in ["get", "post", "put", "patch", "delete"]:
    setattr(requests, method, sending(method))
sys.modules["requests"] = requests
for file in sorted(os.listdir(os.environ["EXAMPLES"])):
    if not file.endswith(".py"):
        continue
    current = file[:-3]
    with open(os.path.join(os.environ["EXAMPLES"], file)) as source:
        code = compile(source.read(), file, "exec")
    try:
        exec(code, {})
    except Told:
        pass
print(json.dumps(sent))`;

const parsed = (output: string): Requests =>
  Object.fromEntries(
    Object.entries<Sent>(JSON.parse(output)).map(([id, sent]) => [
      id,
      { ...sent, body: typeof sent.body === "string" ? bodyIn(sent.body) : sent.body }
    ])
  );

describe("the examples of the reference", () => {
  let folder = "";
  let env: NodeJS.ProcessEnv = {};
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "winnow-examples-"));
    env = { PATH: process.env["PATH"], ...SETTINGS, EXAMPLES: folder, OUTPUT: path.join(folder, "output") };
    mkdirSync(path.join(folder, "output"));
    mkdirSync(path.join(folder, "node_modules/@winnow"), { recursive: true });
    symlinkSync(path.join(ROOT, "packages/client"), path.join(folder, "node_modules/@winnow/client"));
    symlinkSync(path.join(ROOT, "node_modules/@types"), path.join(folder, "node_modules/@types"));
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
    for (const { id, code } of examples) {
      writeFileSync(path.join(folder, `${id}.ts`), `${code.typescript}\nexport {};\n`);
      writeFileSync(path.join(folder, `${id}.py`), code.python);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("call a method of the client for every operation, but for what browsers and programs ask", () => {
    const without = endpoints.filter(({ operation }) => operation["x-winnow-call"] === undefined);
    assert.deepStrictEqual(without.map(({ operation }) => operation.operationId).toSorted(), [
      "docs.docs",
      "extractions.submitAlias",
      "extractions.thumbnail",
      "health.healthz",
      "payments.receivePayment",
      "signIn.beginSignIn",
      "signIn.chooseAccount",
      "signIn.confirmSignIn",
      "signIn.finishSignIn",
      "signIn.signIn",
      "signIn.signInChoice",
      "system.openapi"
    ]);
  });

  it("are what curl, through a shell, sends to the operation: its method, its path, a body of its schema", () => {
    const sent = sentByCurl();
    for (const { id, endpoint } of examples) {
      const { method, path: sentPath, body } = sent[id] ?? assert.fail(id);
      assert.strictEqual(method, endpoint.method, id);
      const pattern = endpoint.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/gu, "[\\w.]+");
      assert.match(sentPath, new RegExp(`^${pattern}(?:\\?[\\w=&]+)?$`, "u"), id);
      const types = Object.keys(endpoint.operation.requestBody?.content ?? {});
      assert.strictEqual(body !== null, types.length > 0, id);
      if (types[0] !== "application/json") continue;
      const place = ["paths", endpoint.path, method.toLowerCase(), "requestBody", "content", types[0]];
      const validate = validatorAt(...place, "schema");
      assert.isTrue(validate(body), `${id}: ${JSON.stringify(validate.errors)}`);
    }
  });

  it("fit the types of the client, and send in TypeScript what curl sends", () => {
    const options =
      "--noEmit --strict --target es2024 --lib es2024,dom,dom.asynciterable --module nodenext --types node";
    const files = examples.map(({ id }) => `${id}.ts`);
    const flags = [
      ...options.split(" "),
      "--allowImportingTsExtensions",
      "--skipLibCheck",
      "--exactOptionalPropertyTypes"
    ];
    const checked = spawnSync(path.join(ROOT, "node_modules/.bin/tsc"), [...flags, ...files], {
      cwd: folder
    });
    assert.strictEqual(String(checked.stdout), "");
    const output = execFileSync(process.execPath, ["--input-type=module", "--eval", RECORD_FETCH], {
      encoding: "utf8",
      env
    });
    assert.deepStrictEqual(parsed(output), sentByCurl());
  });

  const hasPython = (() => {
    try {
      return execFileSync("python3", ["--version"], { stdio: "pipe" }).length > 0;
    } catch {
      return false;
    }
  })();

  it.runIf(hasPython)("compile, and send in Python what curl sends", () => {
    const output = execFileSync("python3", ["-c", RECORD_PYTHON], { encoding: "utf8", env });
    assert.deepStrictEqual(parsed(output), sentByCurl());
  });
});
