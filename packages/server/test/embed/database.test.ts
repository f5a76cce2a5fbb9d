// @module-tag long
/** Embedded with the PostgreSQL that Winnow starts itself, and one port replaced. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as MemoryJobQueue from "@winnow/core/memory/MemoryJobQueue";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { FakeDownloader } from "@winnow/testing";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { assert, it, onTestFinished, vi } from "vitest";
import { embedded, facts, VIDEO } from "./embedded.ts";
import { createWinnow, SettingError } from "../../src/index.ts";

/** Creating and starting databases, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "winnow-embed-"));
  chmodSync(made, 0o711); // if the tests run as root, PostgreSQL runs as another user
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

it("a custom queue executes the runs of Winnow's store, which keeps them when the program ends", async () => {
  const dataDir = folder();
  const jobs: Array<string> = [];
  const queue = Layer.effect(
    JobQueue,
    Effect.map(JobQueue, (inner) => ({
      ...inner,
      enqueue: (job: Parameters<typeof inner.enqueue>[0]) => {
        jobs.push(job.extractionId);
        return inner.enqueue(job);
      }
    }))
  ).pipe(Layer.provide(MemoryJobQueue.layer));
  const downloader = FakeDownloader.layer({ [VIDEO]: { facts } });
  const app = await embedded({ dataDir, layers: [downloader, queue] });
  const { id } = await app.client.extract({ url: VIDEO });
  assert.deepStrictEqual(jobs, [id]);
  await app.winnow.close();

  await using again = await createWinnow({ dataDir, layers: downloader });
  const client = again.client(app.accountId);
  assert.strictEqual((await client.extractions.get(id)).status, "complete");
  assert.strictEqual(await (await client.files.get(id, "video.mp4")).text(), "content of video.mp4");
});

it("a second one on the folder rejects with the setting and the process that uses it", async () => {
  const dataDir = folder();
  const layers = FakeDownloader.layer({ [VIDEO]: { facts } });
  await using first = await createWinnow({ dataDir, layers });
  const error = await createWinnow({ dataDir, layers }).then(
    () => assert.fail("it started"),
    (reason: unknown) => reason
  );
  assert.instanceOf(error, SettingError);
  assert.strictEqual(error.setting, "dataDir");
  assert.include(error.message, `is in use by process ${process.pid}. Stop it, set another dataDir,`);
  assert.strictEqual((await first.fetch(new Request("http://localhost/readyz"))).status, 200);
});

it("a database that does not answer rejects with the setting, and without its password", async () => {
  const databaseUrl = "postgres://winnow:hunter2@127.0.0.1:1/winnow";
  const error = await createWinnow({ dataDir: folder(), databaseUrl }).then(
    () => assert.fail("it started"),
    (reason: unknown) => reason
  );
  assert.instanceOf(error, SettingError);
  assert.strictEqual(error.setting, "databaseUrl");
  assert.include(error.message, "The database does not respond.");
  assert.notMatch(error.message, /hunter2|WINNOW_/u);
});
