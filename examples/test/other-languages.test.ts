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
import { startProgram, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const FOLDER = path.resolve(import.meta.dirname, "../other-languages");
const ARTICLE = "https://news.example/article";
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const PAYLOAD = '{"event":"test","data":{"message":"Grüße"}}';

const isInstalled = (program: string): boolean =>
  spawnSync(program, ["version"], { stdio: "ignore" }).error === undefined;

const LANGUAGES = [
  { name: "winnow.py", program: "python3", args: [path.join(FOLDER, "winnow.py")] },
  { name: "winnow.go", program: "go", args: ["run", path.join(FOLDER, "winnow.go")] }
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
  // Compilers have their caches in the home folder, which these programs do not inherit otherwise.
  env = { WINNOW_URL: url, WINNOW_API_KEY: key, WINNOW_WEBHOOK_SECRET: SECRET, HOME: folder };
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

for (const { name, program, args } of LANGUAGES) {
  describe.skipIf(!isInstalled(program))(`${name} (skipped without ${program})`, () => {
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

describe.skipIf(!isInstalled("openssl"))("verify.sh (skipped without openssl)", () => {
  it("knows Winnow's webhooks from others", async () => {
    assert.deepStrictEqual(await taken("sh", [path.join(FOLDER, "verify.sh")]), RIGHT);
  });
});
