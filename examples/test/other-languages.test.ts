// @module-tag smoke: the compiler of Go
/** Examples in other languages, each where its language is installed: winnow.py, winnow.go, verify.sh. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { signWebhook } from "@winnow/client/webhooks";
import { FakeDownloader, FakePorts, sampleFacts } from "@winnow/testing";
import { createWinnow, type EmbeddedWinnow } from "@winnow/server";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { isInstalled } from "./isInstalled.ts";
import { startProgram, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const FOLDER = path.resolve(import.meta.dirname, "../other-languages");
const ARTICLE = "https://news.example/article";
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const PAYLOAD = '{"event":"test","data":{"message":"Grüße"}}';

type Command = readonly [program: string, ...args: ReadonlyArray<string>];

const inPython = (): Command => ["python3", path.join(FOLDER, "winnow.py")];

/** Compiled once, with the machine's cache: without one, all of net/http is compiled too, for over a minute. */
const inGo = (): Command => {
  const program = path.join(folder, "winnow-go");
  const { status, stderr } = spawnSync("go", ["build", "-o", program, path.join(FOLDER, "winnow.go")], {
    encoding: "utf8"
  });
  assert.strictEqual(status, 0, stderr);
  return [program];
};

const LANGUAGES = [
  { name: "winnow.py", compiler: "python3", prepare: inPython },
  { name: "winnow.go", compiler: "go", prepare: inGo }
].slice(0, process.env["WINNOW_TEST_FAULTS"] === undefined ? 1 : 2);

let embedded: EmbeddedWinnow;
let server: Server;
let folder = "";
let env: Record<string, string> = {};

beforeAll(async () => {
  const facts = sampleFacts({ kind: "webpage", durationSeconds: null });
  embedded = await createWinnow({
    layers: [FakePorts.layer, FakeDownloader.layer({ [ARTICLE]: { facts } })]
  });
  server = createServer(getRequestListener(embedded.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  folder = await mkdtemp(path.join(tmpdir(), "winnow-languages-"));
  const { id } = await embedded.admin.accounts.create({ name: "Languages" });
  await embedded.admin.topUps.create(id, { credits: 1_000 });
  const { key } = await embedded.admin.apiKeys.create(id);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { WINNOW_URL: url, WINNOW_API_KEY: key, WINNOW_WEBHOOK_SECRET: SECRET };
});
afterAll(async () => {
  server.close();
  await embedded.close();
  await rm(folder, { recursive: true, force: true });
});

const verified = (
  program: string,
  args: ReadonlyArray<string>,
  signature: string,
  payload: string
): boolean =>
  spawnSync(program, [...args, signature], {
    input: payload,
    env: { PATH: process.env["PATH"], ...env }
  }).status === 0;

const signatureAt = async (timestamp?: number): Promise<string> => {
  const headers = await signWebhook({
    payload: PAYLOAD,
    secret: SECRET,
    ...(timestamp === undefined ? {} : { timestamp })
  });
  return new Headers(headers as Record<string, string>).get("x-service-signature") ?? "";
};

/** Which of five deliveries a program accepts; only the first two are valid. */
const taken = async (program: string, args: ReadonlyArray<string>): Promise<ReadonlyArray<boolean>> => {
  const signature = await signatureAt();
  return [
    verified(program, args, signature, PAYLOAD),
    // Two signatures, as during a rotation.
    verified(program, args, `${signature},v1=00`, PAYLOAD),
    verified(program, args, signature, `${PAYLOAD} `),
    verified(program, args, await signatureAt(1_000), PAYLOAD),
    verified(program, args, "v1=00", PAYLOAD)
  ];
};
const RIGHT = [true, true, false, false, false];

for (const { name, compiler, prepare } of LANGUAGES) {
  describe.skipIf(!isInstalled(compiler, ["version"]))(`${name} (skipped without ${compiler})`, () => {
    let program = "";
    let args: ReadonlyArray<string> = [];

    beforeAll(() => {
      [program, ...args] = prepare();
    });

    it("submits, waits and downloads", async () => {
      const target = path.join(folder, name);
      const { code, stdout, stderr } = await startProgram(program, [...args, ARTICLE, target], env).ended;
      assert.strictEqual(code, 0, stderr);
      assert.include(stdout, path.join(target, "transcript.txt"));
      assert.include(
        await readFile(path.join(target, "transcript.txt"), "utf8"),
        "content of transcript.txt"
      );
    });

    it("explains what the service refuses", async () => {
      const { code, stderr } = await startProgram(program, [...args, "nonsense", folder], env).ended;
      assert.notStrictEqual(code, 0);
      assert.include(stderr, "invalid_url");
    });

    it("knows Winnow's webhooks from others", async () => {
      assert.deepStrictEqual(await taken(program, [...args, "--verify"]), RIGHT);
    });
  });
}

describe.skipIf(!isInstalled("openssl", ["version"]))("verify.sh (skipped without openssl)", () => {
  it("knows Winnow's webhooks from others", async () => {
    assert.deepStrictEqual(await taken("sh", [path.join(FOLDER, "verify.sh")]), RIGHT);
  });
});
