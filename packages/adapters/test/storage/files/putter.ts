/** A process that puts files until it is killed: `node putter.ts <directory>`. Prints a line after the first few. */
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import { layer } from "../../../src/storage/files/FileArtifacts.ts";

const SIZE_BYTES = 4 * 1024 * 1024;

const putForever = Effect.gen(function* () {
  const store = yield* ArtifactStore;
  yield* Effect.forEach(
    Array.from({ length: 4 }, (_, lane) => lane),
    Effect.fnUntraced(function* (lane) {
      for (let count = 0; ; count += 1) {
        const bytes = new Uint8Array(SIZE_BYTES).fill(count % 251);
        // Always the same name, so that a partial replacement would be noticed.
        yield* store.put(
          { extractionId: "ext_killed", attempt: lane, name: `${count % 3}.mp4` },
          { _tag: "Bytes", bytes }
        );
        if (count === 5) process.stdout.write("some\n");
      }
    }),
    { concurrency: "unbounded", discard: true }
  );
});

const [directory = ""] = process.argv.slice(2);
await Effect.runPromise(Effect.provide(putForever, layer({ directory })));
