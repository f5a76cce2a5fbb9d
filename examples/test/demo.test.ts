// @module-tag smoke: makes the media of the demo and runs it twice
/** `npm run demo`, without its setup. */
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { startFakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import { assert, it, vi } from "vitest";
import { linkMedia } from "./SampleMediaBroker.ts";
import { newFolder } from "./newFolder.ts";
import { patientInspections } from "./ServerBroker.ts";
import { startExample, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const withFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await newFolder("demo");
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const withMedia = (use: (folder: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const release = await linkMedia(folder);
    await use(folder).finally(release);
  });

const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

it("the demo succeeds, prints the table of the README, and says that its model is a stand-in", () =>
  (isWhole ? withFolder : withMedia)(async (folder) => {
    const env = { WINNOW_DATA_DIR: folder, ...patientInspections };
    const { code, stdout, stderr } = await startExample("demo.ts", [], env).ended;
    assert.strictEqual(code, 0, stdout + stderr);
    assert.include(stdout, "Every artifact is there and of its type.");
    assert.include(stdout, "read by a stand-in for a language model; set OPENAI_API_KEY for a real one");
    assert.include(stdout, 'dish: "Soda bread with spelt"');
    assert.include(stdout, "npm run winnow -- models add whisper-base");
    const readme = await readFile(path.resolve(import.meta.dirname, "../../README.md"), "utf8");
    const [table = "none"] = /^kind +title[\s\S]*?(?=\n```)/mu.exec(readme) ?? [];
    assert.include(stdout, table);
  }));

it("the demo says how it is used, and takes neither options nor typos for URLs", () =>
  withFolder(async (folder) => {
    const demo = (...args: ReadonlyArray<string>) =>
      startExample("demo.ts", args, { WINNOW_DATA_DIR: folder }).ended;
    const help = await demo("--help");
    assert.strictEqual(help.code, 0);
    assert.include(help.stdout, "Usage: npm run demo");
    for (const args of [["--lok"], ["example.com"], ["https://"], ["file:///etc/passwd"], ["--look", "x"]]) {
      const { code, stderr } = await demo(...args);
      assert.strictEqual(code, 2, args.join(" "));
      assert.include(stderr, args.at(-1) ?? "");
      assert.include(stderr, "Usage: npm run demo");
    }
    // Nothing was started: no account replaces that of the last demo.
    assert.deepStrictEqual(await readdir(folder), []);
  }));

it.skipIf(!isWhole)("the demo uses the configured language model, if there is one", () =>
  withMedia(async (folder) => {
    const model = await startFakeOpenAi();
    try {
      const { code, stdout, stderr } = await startExample("demo.ts", [], {
        WINNOW_DATA_DIR: folder,
        OPENAI_API_KEY: "sk-own",
        WINNOW_LLM_BASE_URL: model.baseUrl,
        WINNOW_LLM_MODEL: "own-model",
        ...patientInspections
      }).ended;
      assert.strictEqual(code, 0, stdout + stderr);
      assert.include(stdout, "read by the language model of your settings, own-model");
      assert.notInclude(stdout, "stand-in");
      const asked = model.requests.map(({ headers, body }) => [headers["authorization"], body["model"]]);
      assert.deepStrictEqual(asked, [["Bearer sk-own", "own-model"]]);
    } finally {
      await model.close();
    }
  })
);
