import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, assert, beforeEach, describe, it } from "vitest";
import { WinnowError } from "../src/index.ts";
import { Winnow } from "../src/node.ts";
import { faultyServer, type FaultyServer, type Step } from "./FaultyServer.ts";

const client = ({ baseUrl }: FaultyServer) => new Winnow({ apiKey: "k", baseUrl, maxRetries: 0 });

const resultOf = (...names: ReadonlyArray<string>): Step => ({
  status: 200,
  body: {
    id: "ext_1",
    status: "complete",
    artifacts: { files: Object.fromEntries(names.map((name) => [name, `https://a.example/${name}`])) }
  }
});

const fileOf = (text: string): Step => ({ status: 200, body: Buffer.from(text) });

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-save-all-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("saveAll", () => {
  it("saves every file under its name, and creates the folder", async () => {
    await using server = await faultyServer(
      resultOf("page.txt", "metadata.json"),
      fileOf("text"),
      fileOf("{}")
    );
    const target = path.join(folder, "a", "b");
    const saved = await client(server).files.saveAll("ext_1", target);
    assert.deepStrictEqual(saved, [
      { name: "page.txt", path: path.join(target, "page.txt"), sizeBytes: 4 },
      { name: "metadata.json", path: path.join(target, "metadata.json"), sizeBytes: 2 }
    ]);
    assert.strictEqual(await readFile(path.join(target, "page.txt"), "utf8"), "text");
  });

  it("leaves no part of a failed file, and keeps earlier ones", async () => {
    const gone: Step = { status: 404, body: { error: { code: "not_found", message: "gone" } } };
    await using server = await faultyServer(resultOf("a.txt", "b.txt"), fileOf("a"), gone);
    await client(server)
      .files.saveAll("ext_1", folder)
      .then(
        () => assert.fail("it went well"),
        (error: Error) => assert.strictEqual(error.message, "gone")
      );
    assert.deepStrictEqual(await readdir(folder), ["a.txt"]);
  });

  it("writes nothing outside the folder, for any file names of the server", async () => {
    for (const name of ["../escaped", "..", "/etc/escaped"]) {
      await using server = await faultyServer(resultOf(name), fileOf("a"));
      const inside = path.join(folder, "inside");
      await client(server)
        .files.saveAll("ext_1", inside)
        .then(
          () => assert.fail("it was saved"),
          (error: unknown) => assert.instanceOf(error, WinnowError)
        );
      assert.deepStrictEqual(await readdir(inside), []);
    }
    assert.deepStrictEqual(await readdir(folder), ["inside"]);
  });

  it("says why an extraction has no files", async () => {
    for (const status of ["queued", "failed"]) {
      await using server = await faultyServer({ status: 200, body: { id: "ext_1", status } });
      await client(server)
        .files.saveAll("ext_1", folder)
        .then(
          () => assert.fail("it went well"),
          (error: Error) => assert.include(error.message, `is ${status}`)
        );
    }
  });
});
