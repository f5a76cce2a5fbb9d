// @module-tag long
/** The adapters of the examples pass the suites of their ports, and a server runs on them. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import { MemoryDatabase } from "@winnow/testing";
import { ArtifactStoreSuite, JobQueueSuite } from "@winnow/testing/suites";
import { createWinnow, portLayer } from "@winnow/server";
import * as Layer from "effect/Layer";
import { assert, describe, it, onTestFinished } from "vitest";
import { analyst } from "../adapters/analyst.ts";
import { downloader } from "../adapters/downloader.ts";
import * as queue from "../adapters/queue.ts";
import { storage } from "../adapters/storage.ts";

ArtifactStoreSuite.suite(
  "of the example",
  Layer.merge(portLayer({ artifacts: storage(":memory:") }), NodeFileSystem.layer)
);
JobQueueSuite.suite("of the example", queue.layer);

describe("a server on adapters of one's own", () => {
  it("runs from the archive through the analyst into the database", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "winnow-adapters-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, "bread.txt"), "Soda bread\nServings: 4. Minutes: 50.\n");
    const winnow = await createWinnow({
      dataDir: path.join(folder, "unused"),
      layers: MemoryDatabase.layerOn(queue.layer),
      ports: {
        analyst,
        downloader: downloader(folder),
        artifacts: storage(path.join(folder, "files.sqlite"))
      }
    });
    const { id: accountId } = await winnow.admin.accounts.create({ name: "Me" });
    await winnow.admin.topUps.create(accountId, { credits: 1_000 });
    const client = winnow.client(accountId);
    const schema = {
      type: "object",
      properties: { servings: { type: "integer" }, minutes: { type: "integer" } },
      required: ["servings"]
    };
    const body = { url: "https://archive.example/bread", schema };
    const { id } = await client.submit(body);
    const result = await client.extractions.wait(id);
    if (result.status !== "complete") assert.fail(result.error);
    assert.strictEqual(result.summary.title, "Soda bread");
    assert.strictEqual(result.outcome, "ok");
    assert.deepEqual(result.extraction, { servings: 4, minutes: 50 });
    assert.strictEqual(result.evidence?.["/servings"]?.[0]?.quote, "Servings: 4");
    const file = await client.files.get(id, "transcript.txt");
    assert.match(await file.text(), /^Soda bread/u);
    const missing = await client.submit({ ...body, url: "https://archive.example/nothing" });
    const failed = await client.extractions.wait(missing.id);
    assert.strictEqual(failed.status === "failed" ? failed.failure?.reason : failed.status, "removed");
    await winnow.close();
  });

  it.each(["analyst", "downloader", "queue", "storage"])("needs less than 40 lines for the %s", (name) => {
    const text = readFileSync(path.join(import.meta.dirname, "../adapters", `${name}.ts`), "utf8");
    assert.isBelow(text.split("\n").length - 1, 40);
  });
});
