/** What every implementation of ArtifactStore promises. Run by MemoryArtifacts.test.ts, FileArtifacts.test.ts, S3Artifacts.test.ts. */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as FileSystem from "effect/FileSystem";
import type * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { ArtifactStore, type ArtifactKey, type ByteRange } from "@winnow/core/ports/ArtifactStore";
import { uniqueId } from "../samples/samples.ts";

const MEBIBYTE = 1_024 * 1_024;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const keyOf = (extractionId: string, attempt: number, name: string): ArtifactKey => ({
  extractionId,
  attempt,
  name
});

const putText = (key: ArtifactKey, text: string) =>
  ArtifactStore.use((store) => store.put(key, { _tag: "Bytes", bytes: bytes(text) }));

const sizeOf = (key: ArtifactKey) => ArtifactStore.use((store) => store.size(key));

const readBytes = Effect.fnUntraced(function* (key: ArtifactKey, range: ByteRange | null = null) {
  const store = yield* ArtifactStore;
  return Buffer.concat(yield* Stream.runCollect(store.read(key, range)));
});

const readText = (key: ArtifactKey, range: ByteRange | null = null) =>
  Effect.map(readBytes(key, range), (content) => content.toString("utf8"));

/** The layer includes the FileSystem with which the suite writes local files. */
export const suite = <E>(name: string, layer: Layer.Layer<ArtifactStore | FileSystem.FileSystem, E>): void =>
  withLayer(layer, { excludeTestServices: true })(`ArtifactStore: ${name}`, (it) => {
    it.effect("put returns the size, and the file can be read back unchanged", () =>
      Effect.gen(function* () {
        const key = keyOf(uniqueId("ext"), 1, "transcript.txt");
        assert.strictEqual(yield* putText(key, "Grüße"), 7);
        assert.deepStrictEqual(yield* sizeOf(key), Option.some(7));
        assert.strictEqual(yield* readText(key), "Grüße");
      })
    );

    it.effect("an empty file can be stored", () =>
      Effect.gen(function* () {
        const key = keyOf(uniqueId("ext"), 1, "description.txt");
        assert.strictEqual(yield* putText(key, ""), 0);
        assert.deepStrictEqual(yield* sizeOf(key), Option.some(0));
        assert.strictEqual(yield* readText(key), "");
      })
    );

    it.effect("both ends of a range are inclusive", () =>
      Effect.gen(function* () {
        const key = keyOf(uniqueId("ext"), 1, "transcript.txt");
        yield* putText(key, "0123456789");
        assert.strictEqual(yield* readText(key, { start: 2, end: 4 }), "234");
        assert.strictEqual(yield* readText(key, { start: 0, end: 0 }), "0");
        assert.strictEqual(yield* readText(key, { start: 9, end: 9 }), "9");
        assert.strictEqual(yield* readText(key, { start: 0, end: 9 }), "0123456789");
      })
    );

    it.effect("a large local file can be stored and read in part", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const files = yield* FileSystem.FileSystem;
          const directory = yield* files.makeTempDirectoryScoped();
          const content = Buffer.alloc(5 * MEBIBYTE);
          for (let index = 0; index < content.length; index += 4) content.writeUInt32BE(index, index);
          yield* files.writeFile(`${directory}/video.mp4`, content);
          const key = keyOf(uniqueId("ext"), 1, "video.mp4");
          const store = yield* ArtifactStore;
          assert.strictEqual(
            yield* store.put(key, { _tag: "LocalFile", path: `${directory}/video.mp4` }),
            content.length
          );
          const range = { start: 3 * MEBIBYTE - 5, end: 4 * MEBIBYTE + 9 };
          assert.isTrue(
            (yield* readBytes(key, range)).equals(content.subarray(range.start, range.end + 1)),
            "the range differs"
          );
          assert.isTrue((yield* readBytes(key)).equals(content), "the whole differs");
        })
      )
    );

    it.effect(
      "a local copy has the whole file until its scope closes; none of a file that does not exist",
      () =>
        Effect.gen(function* () {
          const files = yield* FileSystem.FileSystem;
          const key = keyOf(uniqueId("ext"), 1, "video.mp4");
          yield* putText(key, "0123456789");
          const { localCopy } = yield* ArtifactStore;
          yield* Effect.scoped(
            Effect.gen(function* () {
              const path = Option.getOrThrow(yield* localCopy(key));
              assert.strictEqual(yield* files.readFileString(path), "0123456789");
              assert.isTrue(Option.isNone(yield* localCopy({ ...key, name: "audio.m4a" })));
            })
          );
          assert.strictEqual(yield* readText(key), "0123456789");
        })
    );

    it.effect(
      "a local path, if the store has any, holds the whole file; none of a file that does not exist",
      () =>
        Effect.gen(function* () {
          const files = yield* FileSystem.FileSystem;
          const key = keyOf(uniqueId("ext"), 1, "video.mp4");
          yield* putText(key, "0123456789");
          const { localPath } = yield* ArtifactStore;
          const path = Option.getOrNull(yield* localPath(key));
          if (path !== null) assert.strictEqual(yield* files.readFileString(path), "0123456789");
          assert.isTrue(Option.isNone(yield* localPath({ ...key, name: "audio.m4a" })));
        })
    );

    it.effect("putting a key again replaces the whole file", () =>
      Effect.gen(function* () {
        const key = keyOf(uniqueId("ext"), 1, "transcript.txt");
        yield* putText(key, "a long first version");
        yield* putText(key, "short");
        assert.strictEqual(yield* readText(key), "short");
        assert.deepStrictEqual(yield* sizeOf(key), Option.some(5));
      })
    );

    it.effect("concurrent puts of one key leave one of the contents intact", () =>
      Effect.gen(function* () {
        const key = keyOf(uniqueId("ext"), 1, "comments.json");
        const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(10_000 + index));
        yield* Effect.forEach(contents, (content) => putText(key, content), { concurrency: 8 });
        assert.isTrue(contents.includes(yield* readText(key)));
      })
    );

    it.effect("attempts, extractions and names are kept apart", () =>
      Effect.gen(function* () {
        const [first, second] = [uniqueId("ext"), uniqueId("ext")];
        const keys = [
          keyOf(first, 1, "audio.m4a"),
          keyOf(first, 2, "audio.m4a"),
          keyOf(first, 1, "video.mp4"),
          keyOf(second, 1, "audio.m4a")
        ];
        yield* Effect.forEach(keys, (key, index) => putText(key, `content ${index}`));
        const contents = yield* Effect.forEach(keys, (key) => readText(key));
        assert.deepStrictEqual(contents, ["content 0", "content 1", "content 2", "content 3"]);
      })
    );

    it.effect("a missing file has no size, and reading it is a defect", () =>
      Effect.gen(function* () {
        const key = keyOf(uniqueId("ext"), 1, "video.mp4");
        assert.deepStrictEqual(yield* sizeOf(key), Option.none());
        const exit = yield* Effect.exit(readText(key));
        assert.isTrue(Exit.hasDies(exit));
      })
    );

    it.effect("removing an attempt keeps other attempts and extractions", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const [extractionId, other] = [uniqueId("ext"), uniqueId("ext")];
        const removedKeys = [keyOf(extractionId, 1, "video.mp4"), keyOf(extractionId, 1, "audio.m4a")];
        const stays = [keyOf(extractionId, 11, "video.mp4"), keyOf(other, 1, "video.mp4")];
        yield* Effect.forEach([...removedKeys, ...stays], (key) => putText(key, "x"));
        yield* store.removeAttempt({ extractionId, attempt: 1 });
        const sizes = yield* Effect.forEach([...removedKeys, ...stays], sizeOf);
        assert.deepStrictEqual(sizes, [Option.none(), Option.none(), Option.some(1), Option.some(1)]);
      })
    );

    it.effect("removing a missing file succeeds", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        yield* store.removeAttempt({ extractionId: uniqueId("ext"), attempt: 3 });
      })
    );

    it.effect("a put of a missing local file stores nothing", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const key = keyOf(uniqueId("ext"), 1, "video.mp4");
        const missing = { _tag: "LocalFile", path: `/nonexistent/${uniqueId("file")}` } as const;
        assert.isTrue(Exit.hasDies(yield* Effect.exit(store.put(key, missing))));
        assert.deepStrictEqual(yield* sizeOf(key), Option.none());
      })
    );
  });
