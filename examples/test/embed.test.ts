// @module-tag alone: timers
/** The embedding examples, one after another with the same data, on the sample site. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { startGatedSite, type GatedSite } from "./GatedSite.ts";
import { newFolder } from "./newFolder.ts";
import { PATIENT_TIMERS, patientInspections } from "./ServerBroker.ts";
import { nextPort, startExample, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

let folder: string;
let site: GatedSite;

beforeAll(async () => {
  folder = await newFolder("embed");
  site = await startGatedSite();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const settings = (): Record<string, string> => ({
  WINNOW_DATA_DIR: path.join(folder, "data"),
  WINNOW_EGRESS_ALLOW: site.host
});

/** Quotes, submits, waits by events, and reads a file whole and in part; returns the file's URL. */
const wholeJob = async (winnow: Winnow): Promise<string> => {
  const url = `${site.url}/article`;
  const { title, price } = await winnow.probe({ url });
  assert.deepEqual([title, price.credits], ["What is heavy stays", 50]);
  const steps: Array<string> = [];
  const onProgress = ({ phase }: { readonly phase: string }): void => {
    steps.push(phase);
    if (phase === "processing") site.release();
  };
  site.hold();
  const { id, artifacts } = await winnow.extract({ url }, { onProgress });
  assert.include(steps, "processing");
  const whole = await (await winnow.files.get(id, "transcript.txt")).text();
  assert.match(whole, /^Before there were machines/mu);
  const part = await winnow.files.get(id, "transcript.txt", { range: { start: 3, end: 12 } });
  assert.strictEqual(part.status, 206);
  assert.strictEqual(await part.text(), whole.slice(3, 13));
  return artifacts.transcript ?? assert.fail("no transcript");
};

const EXAMPLES = [
  ["hono.ts", "/winnow", "SIGINT"],
  ["express.ts", "/winnow", "SIGTERM"]
] as const;

describe.each(EXAMPLES)("embed/%s", (file, base, signal) => {
  it("serves the API, and stops everything it started on request", async () => {
    const port = nextPort();
    const env = { ...settings(), ...patientInspections, PORT: String(port) };
    const program = startExample(`embed/${file}`, [], env);
    const [, account = "", apiKey = ""] = await program.printed(/account (\w+) key (\w+)/u);
    await program.printed(/listening/u);
    const origin = `http://127.0.0.1:${port}`;
    const transcript = await wholeJob(new Winnow({ apiKey, baseUrl: `${origin}${base}` }));
    assert.isTrue(transcript.startsWith(`${origin}${base}/v1/extractions/`), transcript);
    if (file === "hono.ts") {
      const price = `${origin}/price?url=${encodeURIComponent(`${site.url}/talk`)}`;
      const [, session = ""] = await program.printed(/session (\S+)/u);
      const headers = { cookie: `session=${session}` };
      assert.strictEqual((await fetch(transcript)).status, 401);
      const guessed = { cookie: `session=${account}; account=${account}` };
      assert.strictEqual((await fetch(transcript, { headers: guessed })).status, 401);
      assert.strictEqual((await fetch(transcript, { headers })).status, 200);
      assert.strictEqual((await fetch(price)).status, 401);
      const quoted = await fetch(price, { headers });
      assert.deepInclude((await quoted.json()) as object, { title: "A short talk about sieves" });
    }
    program.stop(signal);
    // Ctrl+C in a terminal signals npm and the program, and npm forwards its signal to the program.
    setTimeout(() => program.stop(signal), 20);
    const { code, stderr } = await program.ended;
    assert.deepEqual([code, stderr], [0, ""]);
  });
});

describe("embed/next-route.ts", () => {
  it("serves the API through its exports", async () => {
    const { TEST_PATIENT_TIMERS_MS } = patientInspections;
    for (const [name, value] of Object.entries({ ...settings(), TEST_PATIENT_TIMERS_MS })) {
      vi.stubEnv(name, value);
    }
    await import(PATIENT_TIMERS);
    vi.stubEnv("WINNOW_PUBLIC_URL", "http://next.example/winnow");
    const route = await import("../embed/next-route.ts");
    const winnow = await route.winnow();
    try {
      const { id } = await winnow.admin.accounts.create({ name: "A user" });
      await winnow.admin.topUps.create(id, { credits: 1_000 });
      const { key: apiKey } = await winnow.admin.apiKeys.create(id);
      const transcript = await wholeJob(
        new Winnow({
          apiKey,
          baseUrl: "http://next.example/winnow",
          fetch: (input, init) => {
            const request = new Request(input, init);
            return route[request.method as "GET" | "POST"](request);
          }
        })
      );
      assert.match(transcript, /^http:\/\/next\.example\/winnow\/v1\/extractions\//u);
    } finally {
      await winnow.close();
      vi.unstubAllEnvs();
    }
  });
});
