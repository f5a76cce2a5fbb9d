/** The same requests through every way of mounting. */
import { FakeDownloader, FakePorts } from "@winnow/testing";
import { Winnow } from "@winnow/client";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { STREAMS_MAX } from "../../src/http/limits/EventStreams.ts";
import { unlimited } from "../TestApp.ts";
import { embedded, facts, type Embedded } from "./embedded.ts";
import { MOUNTS, type Mounted } from "./mounts.ts";

const GATED = "https://example.com/gated";
const STUCK = "https://example.com/stuck";

let gate = Promise.withResolvers<void>();

const sources = FakeDownloader.layer({
  [GATED]: { facts, beforeFetch: Effect.promise(() => gate.promise) },
  [STUCK]: { facts, beforeFetch: Effect.never }
});

/** Retries at once, since there is no rate limit, until a stream is admitted. */
const untilAdmitted = async (open: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    const response = await open();
    if (response.status !== 429) return response;
    await response.body?.cancel();
  }
};

const layers = Layer.provideMerge(unlimited, Layer.mergeAll(FakePorts.layer, sources));

describe.each(Object.entries(MOUNTS))("mounted under %s", (_name, mount) => {
  let app: Embedded;
  let mounted: Mounted;
  let client: Winnow;

  beforeAll(async () => {
    app = await embedded({ publicUrl: "https://app.example/winnow", layers });
    mounted = await mount(app.winnow);
    client = new Winnow({ apiKey: app.key, baseUrl: mounted.url, fetch: mounted.fetch });
  });
  afterAll(async () => {
    await mounted[Symbol.asyncDispose]();
    await app.winnow.close();
  });

  it("quotes, submits, waits, and serves a file whole and in part", async () => {
    gate.resolve();
    assert.strictEqual((await client.probe({ url: GATED })).price.credits, 230);
    const { id } = await client.extract({ url: GATED });
    const whole = await client.files.get(id, "video.mp4");
    assert.strictEqual(whole.status, 200);
    assert.strictEqual(whole.headers.get("content-length"), "20");
    assert.strictEqual(await whole.text(), "content of video.mp4");
    const part = await client.files.get(id, "video.mp4", { range: { start: 11, end: 15 } });
    assert.strictEqual(part.status, 206);
    assert.strictEqual(part.headers.get("content-range"), "bytes 11-15/20");
    assert.strictEqual(await part.text(), "video");
  });

  it("responds to HEAD with the headers of GET and no body", async () => {
    gate.resolve();
    const { id } = await client.extract({ url: GATED });
    const response = await mounted.fetch(`${mounted.url}/v1/extractions/${id}/files/video.mp4`, {
      method: "HEAD",
      headers: { "x-api-key": app.key }
    });
    assert.strictEqual(response.status, 200);
    assert.strictEqual(response.headers.get("content-length"), "20");
    assert.strictEqual(await response.text(), "");
  });

  it("streams events during the run", async () => {
    gate = Promise.withResolvers();
    const { id } = await client.submit({ url: GATED, force: true });
    const response = await mounted.fetch(`${mounted.url}/v1/extractions/${id}/events`, {
      headers: { "x-api-key": app.key }
    });
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/u);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: progress")) text += (await reader.read()).value ?? assert.fail("ended");
    assert.notInclude(text, "event: result");
    gate.resolve();
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    assert.include(text, "event: result");
  });

  it("closes a stream when its reader disconnects", async () => {
    const { id } = await client.submit({ url: STUCK, force: true });
    for (let count = 0; count < STREAMS_MAX + 2; count++) {
      const leave = new AbortController();
      const open = () =>
        mounted.fetch(`${mounted.url}/v1/extractions/${id}/events`, {
          headers: { "x-api-key": app.key },
          signal: leave.signal
        });
      // The previous stream may close a moment later.
      const response = count < STREAMS_MAX ? await open() : await untilAdmitted(open);
      assert.strictEqual(response.status, 200);
      await response.body!.getReader().read();
      leave.abort();
    }
    await client.extractions.cancel(id);
  });

  it("rejects bodies over the limit, in any encoding", async () => {
    const chunk = new Uint8Array(64 * 1_024).fill(0x20);
    const response = await mounted.fetch(`${mounted.url}/v1/extractions`, {
      method: "POST",
      headers: { "x-api-key": app.key, "content-type": "application/json" },
      body: ReadableStream.from(Array.from({ length: 8 }, () => chunk)),
      duplex: "half"
    } as RequestInit);
    assert.strictEqual(response.status, 413);
  });

  it("responds to unknown paths like the API", async () => {
    const response = await mounted.fetch(`${mounted.url}/v1/nothing`);
    assert.strictEqual(response.status, 404);
    assert.isNotNull(response.headers.get("x-request-id"));
    assert.strictEqual(((await response.json()) as any).error.code, "not_found");
  });
});
