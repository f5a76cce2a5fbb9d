/** Copies of stored files for programs that read files, from stores that have none on this machine. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ArtifactKey, ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { writing } from "@winnow/isolation/process/DiskFull";
import { makeWorkDir } from "@winnow/isolation/process/RunFolder";

/**
 * The copy lives in the work folder until the scope closes; what a killed process left there is swept. Dies with
 * Unavailable if the disk is full.
 */
export const localCopyOf = (
  { size, read }: Pick<ArtifactStore["Service"], "size" | "read">,
  workDir: string
) =>
  Effect.fn("ArtifactStore.localCopy")(function* (key: ArtifactKey) {
    if (Option.isNone(yield* size(key))) return Option.none();
    const path = join(yield* makeWorkDir(workDir), "file");
    const bytes = yield* Stream.toReadableStreamEffect(read(key, null));
    yield* writing((signal) =>
      pipeline(Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(path), {
        signal
      })
    );
    return Option.some(path);
  });
