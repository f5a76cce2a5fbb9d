// @module-tag long
/** The adapters of the examples pass the suites of their ports, and a server runs on them. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import { textFile } from "@winnow/core/ports/Downloader";
import { MemoryDatabase } from "@winnow/testing";
import { ArtifactStoreSuite, JobQueueSuite, TranscriberSuite } from "@winnow/testing/suites";
import { createWinnow, portLayer } from "@winnow/server";
import * as Layer from "effect/Layer";
import { afterAll, assert, describe, it, onTestFinished } from "vitest";
import { analyst } from "../adapters/analyst.ts";
import { downloader } from "../adapters/downloader.ts";
import * as queue from "../adapters/queue.ts";
import { storage } from "../adapters/storage.ts";
import { transcriber } from "../adapters/transcriber.ts";

ArtifactStoreSuite.suite(
  "of the example",
  Layer.merge(portLayer({ artifacts: storage(":memory:") }), NodeFileSystem.layer)
);
JobQueueSuite.suite("of the example", queue.layer);

const UTTERANCES = [
  { text: "What is heavy stays.", startSeconds: 1, endSeconds: 3 },
  { text: "What is light goes.", startSeconds: 4, endSeconds: 6.5 }
];

/** A speech service that "hears" what a recording is called, a breath after it has said how long it is. */
const speech = createServer(async (request, response) => {
  const recording = await text(request);
  if (request.url?.startsWith("/broken") === true) return void response.writeHead(503).end();
  response.write(`${JSON.stringify({ seconds: recording === "soundless" ? 0 : 8 })}\n`);
  const heard = recording === "spoken" ? UTTERANCES : [];
  const lines = heard.map(({ startSeconds: start, endSeconds: end, text: said }) =>
    JSON.stringify({ start, end, text: said })
  );
  setTimeout(() => response.end(lines.join("\n")), 20);
});
await new Promise<void>((resolve) => void speech.listen(0, "127.0.0.1", resolve));
afterAll(() => void speech.close());

const speechUrl = `http://127.0.0.1:${(speech.address() as AddressInfo).port}`;

TranscriberSuite.suite("of the example", portLayer({ transcriber: transcriber(speechUrl) }), {
  broken: portLayer({ transcriber: transcriber(`${speechUrl}/broken`) }),
  recordings: {
    spoken: { file: textFile("audio.m4a", "spoken"), durationSeconds: 8, utterances: UTTERANCES },
    silent: textFile("audio.m4a", "silent"),
    soundless: textFile("video.mp4", "soundless")
  }
});

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
        transcriber: transcriber("http://speech.example"),
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

  it.each(["analyst", "downloader", "queue", "storage", "transcriber"])(
    "needs less than 40 lines for the %s",
    (name) => {
      const text = readFileSync(path.join(import.meta.dirname, "../adapters", `${name}.ts`), "utf8");
      assert.isBelow(text.split("\n").length - 1, 40);
    }
  );
});
