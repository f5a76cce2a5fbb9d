/** Copies of stored files for programs that read files, from stores that have none on this machine. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ArtifactKey, ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";

/** The copy lives until the scope closes. */
export const localCopyOf = ({ size, read }: Pick<ArtifactStore["Service"], "size" | "read">) =>
  Effect.fn("ArtifactStore.localCopy")(function* (key: ArtifactKey) {
    if (Option.isNone(yield* size(key))) return Option.none();
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-artifact-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    );
    const path = join(folder, "file");
    const bytes = yield* Stream.toReadableStreamEffect(read(key, null));
    yield* Effect.promise((signal) =>
      pipeline(Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(path), {
        signal
      })
    );
    return Option.some(path);
  });
