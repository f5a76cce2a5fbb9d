// @module-tag long
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import { assert, describe, it } from "@effect/vitest";
import { type ArtifactKey, ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { suite } from "@winnow/testing/suites/ArtifactStoreSuite";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { layer } from "../../../src/storage/s3/S3Artifacts.ts";
import { NAMES_IN_PAGE, optionsOf, s3Server } from "./S3Server.ts";

const MEBIBYTE = 1_024 * 1_024;

const suiteOver = (name: string, prefix: string) =>
  suite(
    name,
    Layer.merge(
      Layer.unwrap(Effect.map(s3Server, ({ endpoint }) => layer(optionsOf(endpoint, prefix)))),
      NodeFileSystem.layer
    )
  );

suiteOver("S3", "some/prefix");
suiteOver("S3, the whole bucket", "");

type Server = Effect.Success<typeof s3Server>;

/** Runs with a store in its own bucket. */
const inBucket = <A, E, R>(use: (server: Server) => Effect.Effect<A, E, R>) =>
  s3Server.pipe(
    Effect.flatMap((server) => Effect.provide(use(server), layer(optionsOf(server.endpoint)))),
    Effect.scoped
  );

const key: ArtifactKey = { extractionId: "ext_1", attempt: 1, name: "video.mp4" };

const putText = (at: ArtifactKey, text: string) =>
  ArtifactStore.use((store) => store.put(at, { _tag: "Bytes", bytes: Buffer.from(text) }));

const readBytes = (at: ArtifactKey) =>
  ArtifactStore.use((store) => Effect.map(Stream.runCollect(store.read(at, null)), Buffer.concat));

const ZEROS = Buffer.alloc(MEBIBYTE);

/** Answers with an object of this size, as fast as it is read. */
const sendZeros = (response: ServerResponse, sizeMebibytes: number): true => {
  response.writeHead(200, { "content-length": String(sizeMebibytes * MEBIBYTE) });
  Readable.from(Array.from({ length: sizeMebibytes }, () => ZEROS)).pipe(response);
  return true;
};

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-s3-files-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
);

describe("S3Artifacts", () => {
  it.live("objects are stored under prefix, extraction and attempt", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        yield* putText(key, "film");
        const kept = yield* Effect.promise(server.kept);
        assert.isTrue(
          kept.every((path) => path.startsWith("some/prefix/ext_1/1/video.mp4")),
          String(kept)
        );
      })
    )
  );

  it.live.each<Partial<ArtifactKey>>([
    { name: "../video.mp4" },
    { name: "a/b" },
    { name: ".hidden" },
    { name: "" },
    { name: "vidéo.mp4" },
    { extractionId: "" },
    { extractionId: ".." },
    { extractionId: "ext_1/1" },
    { attempt: -1 },
    { attempt: Number.NaN }
  ])("the key with %j is refused before anything is asked", (part) =>
    inBucket((server) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const refused = { ...key, ...part };
        const before = server.seen.length;
        assert.isTrue(Exit.hasDies(yield* Effect.exit(putText(refused, "x"))));
        assert.deepStrictEqual(yield* store.size(refused), Option.none());
        assert.isTrue(Exit.hasDies(yield* Effect.exit(readBytes(refused))));
        assert.strictEqual(server.seen.length, before);
      })
    )
  );

  it.live("ids that name more than one extraction remove nothing", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        yield* putText(key, "x");
        for (const extractionId of ["", ".", "..", "ext", "ext_1/1"]) {
          yield* store.removeAttempt({ extractionId, attempt: 1 });
        }
        yield* store.removeAttempt({ extractionId: "ext_1", attempt: -1 });
        assert.deepStrictEqual(yield* store.size(key), Option.some(1));
        assert.isNotEmpty(yield* Effect.promise(server.kept));
      })
    )
  );

  it.live("a large file is uploaded in parts and read back unchanged", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const path = join(yield* temporaryFolder, "video.mp4");
        const content = randomBytes(16 * MEBIBYTE + 7);
        yield* Effect.promise(() => writeFile(path, content));
        assert.strictEqual(yield* store.put(key, { _tag: "LocalFile", path }), content.length);
        assert.strictEqual(server.seen.filter((line) => line.includes("partNumber=")).length, 3);
        assert.isTrue((yield* readBytes(key)).equals(content), "the content differs");
      })
    )
  );

  it.live("bytes over the size of a part are uploaded in parts too", () =>
    inBucket(() =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const bytes = randomBytes(8 * MEBIBYTE);
        assert.strictEqual(yield* store.put(key, { _tag: "Bytes", bytes }), bytes.length);
        assert.isTrue((yield* readBytes(key)).equals(bytes), "the content differs");
      })
    )
  );

  it.live("a local file that is a symbolic link or a folder is refused", () =>
    inBucket(() =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const folder = yield* temporaryFolder;
        yield* Effect.promise(() => symlink("/etc/hostname", join(folder, "link")));
        for (const path of [join(folder, "link"), folder]) {
          assert.isTrue(Exit.hasDies(yield* Effect.exit(store.put(key, { _tag: "LocalFile", path }))));
        }
        assert.deepStrictEqual(yield* store.size(key), Option.none());
      })
    )
  );

  it.live("more objects than one listing page are all removed, and no others", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const names = Array.from({ length: 2 * NAMES_IN_PAGE + 3 }, (_, index) => `image.${index}.jpg`);
        yield* Effect.forEach(names, (name) => putText({ ...key, name }, ""), { concurrency: 16 });
        const neighbour = { ...key, attempt: 11 };
        yield* putText(neighbour, "stays");
        yield* store.removeAttempt(key);
        assert.strictEqual(server.seen.filter((line) => line.includes("continuation-token=")).length, 2);
        const kept = yield* Effect.promise(server.kept);
        assert.isTrue(
          kept.every((path) => path.includes("ext_1/11/")),
          `${kept.length} are left`
        );
        assert.deepStrictEqual(yield* store.size(neighbour), Option.some(5));
      })
    )
  );

  it.live(
    "objects of an attempt are removed in one request, or one by one if the store does not support that",
    () =>
      inBucket((server) =>
        Effect.gen(function* () {
          const store = yield* ArtifactStore;
          const names = ["image.1.jpg", "image.2.jpg", "image.3.jpg"];
          const putAll = Effect.forEach(names, (name) => putText({ ...key, name }, "x"));
          const requests = (method: string) =>
            server.seen.filter((line) => line.startsWith(`${method} `)).length;
          yield* putAll;
          const before = requests("DELETE");
          yield* store.removeAttempt(key);
          assert.isEmpty(yield* Effect.promise(server.kept));
          // More than one if s3rver fails at first: it may do so when it removes folders concurrently.
          assert.isAbove(requests("POST"), 0);
          assert.strictEqual(requests("DELETE"), before);
          yield* putAll;
          server.misbehave((request, response) => {
            if (request.method !== "POST") return false;
            response.writeHead(501).end();
            return true;
          });
          yield* store.removeAttempt(key);
          assert.isEmpty(yield* Effect.promise(server.kept));
        })
      )
  );

  it.live("a reader that stops early aborts the transfer", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const ended = Promise.withResolvers<boolean>();
        server.misbehave((_request, response) => {
          response.once("close", () => ended.resolve(response.writableFinished));
          return sendZeros(response, 30);
        });
        yield* store.read(key, null).pipe(Stream.take(1), Stream.runDrain);
        assert.isFalse(yield* Effect.promise(() => ended.promise));
      })
    )
  );

  it.live("a slow reader slows the transfer down", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        let sentBytes = () => 0;
        server.misbehave((_request, response) => {
          sentBytes = () => response.socket?.bytesWritten ?? 0;
          return sendZeros(response, 60);
        });
        // Pauses at the first chunk until the server sends no more; returns the number of bytes sent.
        const halted = Effect.gen(function* () {
          let before = -1;
          while (sentBytes() !== before) {
            before = sentBytes();
            yield* Effect.sleep(150);
          }
          return before;
        });
        const sent = yield* store.read(key, null).pipe(
          Stream.take(1),
          Stream.mapEffect(() => halted),
          Stream.runHead
        );
        assert.isBelow(Option.getOrThrow(sent), 30 * MEBIBYTE);
      })
    )
  );
});
