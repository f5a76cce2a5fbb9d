/**
 * Keeps the files of runs, under extraction / attempt / name.
 *
 * A stored file never changes. What is here is served only once a settlement names it, so files of a
 * dead attempt are garbage, never answers. Failures of the store itself are defects: Unavailable (ports/Unavailable)
 * when they may pass, such as a bucket that is away or a disk that is full.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type * as Stream from "effect/Stream";
import type { ArtifactOwner } from "../domain/Extraction.ts";

export interface ArtifactKey extends ArtifactOwner {
  readonly name: string;
}

/** Content to store: bytes, or a file of this machine that the store may move away. */
export type ArtifactSource =
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "LocalFile"; readonly path: string };

/** Inclusive, in bytes, within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export class ArtifactStore extends Context.Service<
  ArtifactStore,
  {
    /** Durable once it succeeds; all or nothing; putting a key again replaces it whole. Answers the size in bytes. */
    readonly put: (key: ArtifactKey, source: ArtifactSource) => Effect.Effect<number>;

    /** Size in bytes; none when there is no such file. */
    readonly size: (key: ArtifactKey) => Effect.Effect<Option.Option<number>>;

    /** The bytes, whole or of the range; dies when the file is gone, so ask for the size first. */
    readonly read: (key: ArtifactKey, range: ByteRange | null) => Stream.Stream<Uint8Array>;

    /**
     * Where the file lies on this machine, for a reader that can do better than `read` and changes
     * nothing; none when there is no such file. Absent from stores whose bytes lie elsewhere.
     */
    readonly localPath?: (key: ArtifactKey) => Effect.Effect<Option.Option<string>>;

    /** Removes one attempt's files; none is fine. */
    readonly removeAttempt: (owner: ArtifactOwner) => Effect.Effect<void>;

    /** Removes the files of every attempt of these; none is fine. */
    readonly removeExtractions: (extractionIds: ReadonlyArray<string>) => Effect.Effect<void>;
  }
>()("@winnow/core/ports/ArtifactStore") {}
