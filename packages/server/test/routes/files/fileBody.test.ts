import { createHash } from "node:crypto";
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs";
import { get, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assert, describe, it } from "@effect/vitest";
import * as FileArtifacts from "@winnow/adapters/storage/files/FileArtifacts";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import * as Stream from "effect/Stream";
import * as HttpListener from "../../../src/http/HttpListener.ts";
import { CHUNK_BYTES, fileResponse, openBody } from "../../../src/routes/files/fileResponse.ts";

const KEY = { extractionId: "ext_1", attempt: 1, name: "video.mp4" };
const SIZE = 24_000_001;

/** Every position has different content. */
const content = (): Buffer => {
  const bytes = Buffer.alloc(SIZE);
  for (let at = 0; at + 4 <= SIZE; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  return bytes;
};

const route = HttpRouter.add(
  "GET",
  "/file",
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const body = yield* openBody(yield* ArtifactStore, KEY, SIZE, request);
    if (Option.isNone(body)) return HttpServerResponse.empty({ status: 404 });
    const artifact = { name: KEY.name, contentType: "video/mp4", sizeBytes: SIZE };
    return fileResponse(
      { artifact, key: KEY },
      { method: "GET", range: request.headers["range"] },
      body.value
    );
  })
);

const ownFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-body-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
);

/** A server with one file, in a separate folder. */
const serving = Effect.gen(function* () {
  const folder = yield* ownFolder;
  const bytes = content();
  writeFileSync(join(folder, "source"), bytes);
  const store = FileArtifacts.layer({ directory: join(folder, "artifacts") });
  const put = Layer.effectDiscard(
    Effect.flatMap(ArtifactStore, (artifacts) =>
      artifacts.put(KEY, { _tag: "LocalFile", path: join(folder, "source") })
    )
  );
  const context = yield* Layer.build(
    HttpRouter.serve(route, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide(put),
      Layer.provide(store),
      Layer.provideMerge(HttpListener.layer("127.0.0.1", 0))
    )
  );
  const { address } = Context.get(context, HttpServer.HttpServer);
  if (!("port" in address)) return yield* Effect.die(new Error("no TCP address"));
  return { url: `http://127.0.0.1:${address.port}/file`, bytes, folder };
});

const request = (url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(url, { headers, agent: false }, resolve).on("error", reject));

const digest = async (stream: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash("sha256");
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest("hex");
};

/**
 * Reads, pauses, and reads on: the server must apply backpressure, and must not overwrite buffers before they
 * are sent.
 */
async function* haltingly(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let read = 0;
  let pause = 2_000_000;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    yield chunk;
    read += chunk.length;
    if (read < pause) continue;
    pause = read + 5_000_000;
    await sleep(20);
  }
}

const openArtifacts = (folder: string): ReadonlyArray<string> =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });

describe("a large file", () => {
  it.live("is complete for several concurrent readers, fast and slow", () =>
    Effect.gen(function* () {
      const { url, bytes } = yield* serving;
      const expected = createHash("sha256").update(bytes).digest("hex");
      const digests = yield* Effect.promise(async () =>
        Promise.all([
          digest(await request(url)),
          digest(haltingly(await request(url))),
          digest(haltingly(await request(url))),
          digest(await request(url))
        ])
      );
      assert.deepStrictEqual(digests, [expected, expected, expected, expected]);
    }).pipe(Effect.scoped)
  );

  it.live("returns any range of its bytes", () =>
    Effect.gen(function* () {
      const { url, bytes } = yield* serving;
      const ranges = [
        [0, 0],
        [524_287, 524_289],
        [1_000_003, 9_999_999],
        [SIZE - 1, SIZE - 1]
      ] as const;
      for (const [start, end] of ranges) {
        const response = yield* Effect.promise(() => request(url, { range: `bytes=${start}-${end}` }));
        assert.strictEqual(response.statusCode, 206);
        const expected = createHash("sha256")
          .update(bytes.subarray(start, end + 1))
          .digest("hex");
        assert.strictEqual(yield* Effect.promise(() => digest(response)), expected);
      }
    }).pipe(Effect.scoped)
  );

  it.live("is closed when its reader disconnects", () =>
    Effect.gen(function* () {
      const { url, folder } = yield* serving;
      const response = yield* Effect.promise(() => request(url));
      yield* Effect.promise(() => new Promise((resolve) => response.once("readable", resolve)));
      assert.isNotEmpty(openArtifacts(folder));
      response.destroy();
      yield* Effect.sync(() => openArtifacts(folder).length).pipe(
        Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (count) => count === 0 }),
        Effect.timeout("50 seconds")
      );
    }).pipe(Effect.scoped)
  );
});

describe("the body of a file", () => {
  const bytes = Buffer.alloc(4 * CHUNK_BYTES);
  const opened = Effect.gen(function* () {
    const folder = yield* ownFolder;
    const built = yield* Layer.build(FileArtifacts.layer({ directory: folder }));
    const store = Context.get(built, ArtifactStore);
    yield* store.put(KEY, { _tag: "Bytes", bytes });
    const path = Option.getOrThrow(yield* store.localPath(KEY));
    const asked = { source: new IncomingMessage(new Socket()) } as unknown as Parameters<typeof openBody>[3];
    const body = Option.getOrThrow(yield* openBody(store, KEY, bytes.length, asked));
    return { folder, path, body: body(null) };
  });

  it.effect("is closed at once by a reader who has enough", () =>
    Effect.gen(function* () {
      const { body, folder } = yield* opened;
      yield* Stream.runDrain(Stream.take(body, 1));
      assert.isEmpty(openArtifacts(folder));
    })
  );

  it.effect("ends with an error if the file became shorter, or a link to another", () =>
    Effect.gen(function* () {
      const { body, path } = yield* opened;
      truncateSync(path, CHUNK_BYTES);
      assert.isTrue(Exit.hasDies(yield* Effect.exit(Stream.runDrain(body))));
      renameSync(path, `${path}.other`);
      writeFileSync(`${path}.other`, bytes);
      symlinkSync(`${path}.other`, path);
      assert.isTrue(Exit.hasDies(yield* Effect.exit(Stream.runDrain(body))));
    })
  );
});
