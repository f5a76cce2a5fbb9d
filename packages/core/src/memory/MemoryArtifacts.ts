/** Artifacts in memory: for tests, and for embedders that need no files after the process ends. */
import * as Effect from "effect/Effect";
import * as FileSystem from "effect/FileSystem";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import type { ArtifactOwner } from "../domain/run/Extraction.ts";
import { ArtifactStore, type ArtifactKey, type ArtifactSource } from "../ports/ArtifactStore.ts";

const pathOf = ({ extractionId, attempt, name }: ArtifactKey): string =>
  JSON.stringify([extractionId, attempt, name]);

interface StoredArtifact {
  readonly owner: ArtifactOwner;
  readonly bytes: Uint8Array;
}

const make = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem;
  const stored = new Map<string, StoredArtifact>();

  const bytesOf = (source: ArtifactSource): Effect.Effect<Uint8Array> =>
    source._tag === "Bytes"
      ? Effect.sync(() => source.bytes.slice())
      : Effect.orDie(files.readFile(source.path));

  return ArtifactStore.of({
    put: (key, source) =>
      Effect.map(bytesOf(source), (bytes) => {
        stored.set(pathOf(key), { owner: key, bytes });
        return bytes.length;
      }),
    size: (key) => Effect.sync(() => Option.fromUndefinedOr(stored.get(pathOf(key))?.bytes.length)),
    read: (key, range) =>
      Stream.suspend(() => {
        const found = stored.get(pathOf(key));
        if (found === undefined) return Stream.die(new Error("MemoryArtifacts: no such file"));
        return Stream.succeed(
          range === null ? found.bytes : found.bytes.subarray(range.start, range.end + 1)
        );
      }),
    localPath: () => Effect.succeedNone,
    localCopy: Effect.fnUntraced(function* (key) {
      const found = stored.get(pathOf(key));
      if (found === undefined) return Option.none();
      const path = yield* Effect.orDie(files.makeTempFileScoped());
      yield* Effect.orDie(files.writeFile(path, found.bytes));
      return Option.some(path);
    }),
    removeAttempt: ({ extractionId, attempt }) =>
      Effect.sync(() => {
        for (const [path, { owner }] of stored) {
          if (owner.extractionId === extractionId && owner.attempt === attempt) stored.delete(path);
        }
      })
  });
});

export const layer: Layer.Layer<ArtifactStore, never, FileSystem.FileSystem> = Layer.effect(
  ArtifactStore,
  make
);
