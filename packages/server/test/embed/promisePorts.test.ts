/** Ports given to createWinnow as plain promises. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failed } from "@winnow/core/domain/source/Failed";
import { ExtractionFailedError } from "@winnow/client";
import { FakePorts, sampleFacts } from "@winnow/testing";
import { assert, describe, it } from "vitest";
import {
  createWinnow,
  SettingError,
  type LogEntry,
  type PromiseAnalyst,
  type PromiseDownloader,
  type PromiseFetched,
  type PromisePorts
} from "../../src/index.ts";

const VIDEO = "https://example.com/video";
const facts = sampleFacts({ durationSeconds: 60, webpageUrl: VIDEO, hasSubtitles: false });
const audio = new TextEncoder().encode("the sound");
const fetched: PromiseFetched = {
  facts,
  measuredDurationSeconds: 60,
  files: [
    {
      name: "audio.m4a",
      contentType: "audio/mp4",
      sizeBytes: audio.length,
      source: { _tag: "Bytes", bytes: audio }
    }
  ],
  warnings: []
};

const downloader = (fetch: PromiseDownloader["fetch"]): PromiseDownloader => ({
  inspect: async () => facts,
  fetch
});

const analyst: PromiseAnalyst = {
  model: "of my own",
  analyse: async () => ({
    outcome: "ok",
    verdictReason: null,
    extraction: { topic: "sieves" },
    quotes: [],
    confidence: null,
    unavailable: [],
    warnings: []
  }),
  propose: async () => ({ name: "talk", fields: [] })
};

const schema = { type: "object", properties: { topic: { type: "string" } } } as const;

const withPorts = async (ports: PromisePorts, log: Array<LogEntry> = []) => {
  const winnow = await createWinnow({
    layers: FakePorts.layer,
    ports,
    logger: (entry) => void log.push(entry)
  });
  const { id } = await winnow.admin.accounts.create({ name: "Embedder" });
  await winnow.admin.topUps.create(id, { credits: 1_000 });
  const { key } = await winnow.admin.apiKeys.create(id);
  const get = (path: string) =>
    winnow.fetch(new Request(new URL(path, "http://127.0.0.1:8080"), { headers: { "x-api-key": key } }));
  return { client: winnow.client(id), accountId: id, get, [Symbol.asyncDispose]: winnow.close };
};

describe("ports as promises", () => {
  it("fetch, transcribe and read a video, report progress, and release the files", async () => {
    const heard: Array<string> = [];
    const accounts: Array<string> = [];
    let released = 0;
    await using app = await withPorts({
      analyst,
      downloader: downloader(async (_request, _signal, { accountId, report }) => {
        accounts.push(accountId);
        report({ step: "fetching", percent: 50, bytes: 4 });
        return { ...fetched, release: () => void (released += 1) };
      }),
      transcriber: {
        model: "ear",
        transcribe: async ({ name, source }) => {
          heard.push(name);
          assert.strictEqual(released, 0);
          assert.deepStrictEqual(source, { _tag: "Bytes", bytes: audio });
          return {
            language: "en",
            segments: [
              {
                startSeconds: 0,
                endSeconds: 2,
                text: "All about sieves: what is heavy stays, what is light goes."
              }
            ]
          };
        }
      }
    });
    const percents: Array<number | null> = [];
    const result = await app.client.extract(
      { url: VIDEO, schema, inputs: ["transcript"], speech: true },
      { onProgress: ({ percent }) => void percents.push(percent) }
    );
    assert.deepStrictEqual(result.extraction, { topic: "sieves" });
    assert.deepStrictEqual(heard, ["audio.m4a"]);
    assert.include(percents, 50);
    assert.deepStrictEqual(new Set(accounts), new Set([app.accountId]));
    const words = await app.client.files.get(result.id, "transcript.txt");
    assert.match(await words.text(), /All about sieves: /u);
    assert.strictEqual(released, 1);
  });

  it("show the picture of a quote, if the downloader can", async () => {
    const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xd9]);
    const answer = async (port: PromiseDownloader) => {
      await using winnow = await withPorts({ downloader: port });
      const { thumbnail } = await winnow.client.probe({ url: VIDEO });
      return thumbnail === null ? null : winnow.get(thumbnail);
    };
    const port = downloader(async () => fetched);
    assert.isNull(await answer(port));
    const shown = await answer({ ...port, preview: async () => jpeg });
    assert.deepStrictEqual(new Uint8Array((await shown?.arrayBuffer()) ?? []), jpeg);
    assert.strictEqual((await answer({ ...port, preview: async () => null }))?.status, 404);
  });

  it("list what a batch names, if the downloader can", async () => {
    const items = [{ listingUrl: "https://example.com/channel", first: 2 }];
    const port = downloader(async () => fetched);
    const list = async () => [1, 2, 3].map((index) => `${VIDEO}/${index}`);
    await using lists = await withPorts({ downloader: { ...port, list } });
    const batch = await lists.client.batches.create({ items });
    assert.deepStrictEqual(
      batch.items.map(({ url, error }) => [url, error]),
      [
        [`${VIDEO}/1`, null],
        [`${VIDEO}/2`, null]
      ]
    );
    await using lacks = await withPorts({ downloader: port });
    const refused = await lacks.client.batches.create({ items });
    assert.deepStrictEqual(
      refused.items.map(({ error }) => error?.details?.["reason"]),
      ["not_a_listing"]
    );
  });

  it("may leave a text in a local file, until it is released", async () => {
    const folder = await mkdtemp(join(tmpdir(), "winnow-ports-"));
    const path = join(folder, "words.txt");
    const text = "All about sieves: what is heavy stays, what is light goes.\n";
    await writeFile(path, text);
    const read: Array<string> = [];
    await using app = await withPorts({
      analyst: {
        ...analyst,
        analyse: async (request, ...rest) => {
          read.push(...request.texts.flatMap(({ segments }) => segments.map((segment) => segment.text)));
          return analyst.analyse(request, ...rest);
        }
      },
      downloader: downloader(async () => ({
        ...fetched,
        files: [
          {
            name: "transcript.txt",
            contentType: "text/plain; charset=utf-8",
            sizeBytes: Buffer.byteLength(text),
            source: { _tag: "LocalFile", path }
          }
        ],
        release: () => rm(folder, { recursive: true })
      }))
    });
    const result = await app.client.extract({ url: VIDEO, schema, inputs: ["transcript"] });
    assert.deepStrictEqual(read, [text.trim()]);
    assert.strictEqual(await (await app.client.files.get(result.id, "transcript.txt")).text(), text);
  });

  it("fail a run with their own error, and as internal with any other, refunded and told to the operator", async () => {
    const log: Array<LogEntry> = [];
    const reasonOf = async (ports: PromisePorts, more: object = {}): Promise<string | null> => {
      await using app = await withPorts(ports, log);
      const failed: unknown = await app.client
        .extract({ url: VIDEO, ...more } as { url: string })
        .catch((error: unknown) => error);
      assert.instanceOf(failed, ExtractionFailedError);
      assert.notInclude(failed.message, "secret");
      assert.strictEqual((await app.client.account()).balance, 2_000);
      return failed.reason;
    };
    const message = "Not for everyone.";
    const gone = new Failed({ reason: "private", message });
    assert.strictEqual(await reasonOf({ downloader: downloader(() => Promise.reject(gone)) }), "private");
    const mute = new Failed({ reason: "model_refused", message });
    const media = downloader(async () => fetched);
    const refusing = { ...analyst, analyse: () => Promise.reject(mute) };
    const asked = { schema, inputs: ["audio"] };
    assert.strictEqual(await reasonOf({ downloader: media, analyst: refusing }, asked), "model_refused");
    const broken = downloader(() => {
      throw new Error("secret of the inside");
    });
    assert.strictEqual(await reasonOf({ downloader: broken }), "internal");
    assert.isTrue(log.some(({ level, error }) => level === "error" && String(error).includes("secret")));
  });

  it("give quotes of a page its number and heading, if the downloader hands over sections", async () => {
    const page = { ...facts, kind: "webpage" as const, durationSeconds: null };
    const text = "All about sieves: what is heavy stays, what is light goes.";
    const bytes = new TextEncoder().encode(`\f# Chaff\n${text}\n`);
    const files = [
      {
        name: "transcript.txt",
        contentType: "text/plain; charset=utf-8",
        sizeBytes: bytes.length,
        source: { _tag: "Bytes" as const, bytes }
      }
    ];
    const place = { page: 2, heading: "Chaff" };
    for (const [more, expected] of [
      [{}, {}],
      [{ sections: [{ ...place, text, markdown: [] }] }, place]
    ] as const) {
      await using app = await withPorts({
        analyst,
        downloader: {
          inspect: async () => page,
          fetch: async () => ({ ...fetched, facts: page, measuredDurationSeconds: null, files, ...more })
        }
      });
      const { evidence } = await app.client.extract({ url: VIDEO, schema });
      assert.deepStrictEqual(evidence?.["/topic"], [{ source: "page", quote: "sieves", ...expected }]);
    }
  });

  it("fail a run whose facts or failed look-ups could not be read again, and name the field to the operator", async () => {
    const answers: ReadonlyArray<readonly [field: string, answer: object]> = [
      ["title", { facts: { ...facts, title: undefined } }],
      ["heading", { sections: [{ heading: "a".repeat(201), text: "Sieves.", markdown: [] }] }],
      ["comments", { failedLookups: { comments: { reason: "timeout", message: "No answer." } } }]
    ];
    for (const [field, answer] of answers) {
      const log: Array<LogEntry> = [];
      let released = 0;
      const release = () => void (released += 1);
      const port = downloader(async () => ({ ...fetched, ...answer, release }) as PromiseFetched);
      await using app = await withPorts({ downloader: port }, log);
      const failed: unknown = await app.client.extract({ url: VIDEO }).catch((error: unknown) => error);
      assert.instanceOf(failed, ExtractionFailedError);
      assert.deepStrictEqual([failed.reason, released], ["internal", 1]);
      assert.isTrue(
        log.some(({ error }) => String(error).includes(field)),
        field
      );
    }
  });

  it("give the credits for speech back if the model of their own fails", async () => {
    await using app = await withPorts({
      downloader: downloader(async () => fetched),
      transcriber: {
        model: "ear",
        transcribe: async () => {
          throw new Failed({ reason: "speech_unavailable", message: "Too loud." });
        }
      }
    });
    const failed: unknown = await app.client
      .extract({ url: VIDEO, parts: ["transcript"], speech: true })
      .catch((error: unknown) => error);
    assert.instanceOf(failed, ExtractionFailedError);
    assert.strictEqual((await app.client.account()).balance, 2_000);
  });

  it("are told by their signal that a run was cancelled, and release what they fetched too late", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const late = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using app = await withPorts({
      downloader: downloader(async (_, signal) => {
        begun.resolve(signal);
        await late.promise;
        return { ...fetched, release: () => released.resolve() };
      })
    });
    const { id } = await app.client.submit({ url: VIDEO });
    const signal = await begun.promise;
    assert.isFalse(signal.aborted);
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    await app.client.extractions.cancel(id);
    await aborted;
    late.resolve();
    await released.promise;
  });

  it("make what they replace unnecessary: no program is looked for", async () => {
    const { PATH } = process.env;
    process.env["PATH"] = "/nonexistent";
    try {
      const transcriber = { model: "ear", transcribe: async () => null };
      const models = { openaiApiKey: "sk-none", speechModel: "whisper" };
      const winnow = await createWinnow({ layers: FakePorts.layer, ports: { transcriber }, ...models });
      assert.deepInclude(await winnow.admin.health(), { status: "ok" });
      await winnow.close();
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  it("are rejected if they lack a method or a name, or are no port of this kind", async () => {
    const wrong: ReadonlyArray<readonly [unknown, RegExp]> = [
      [5, /^ports must be an object/u],
      [{ analyst: { ...analyst, propose: undefined } }, /^ports\.analyst\.propose must be a function/u],
      [{ analyst: { ...analyst, model: "" } }, /^ports\.analyst\.model must be/u],
      [{ artifacts: { put: () => 0 } }, /^ports\.artifacts\.size must be a function/u],
      [{ store: {} }, /^ports has store, but takes only analyst, downloader, transcriber, artifacts;/u]
    ];
    for (const [ports, message] of wrong) {
      const refused: unknown = await createWinnow({ ports } as object).catch((error: unknown) => error);
      assert.instanceOf(refused, SettingError);
      assert.match(refused.message, message);
      assert.strictEqual(refused.setting, "ports");
    }
  });
});
