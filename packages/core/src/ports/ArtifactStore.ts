/**
 * Stores the files of runs, under extraction / attempt / name.
 *
 * A stored file never changes. A file is served only once a settlement names it, so files of an abandoned
 * attempt are never served. Failures of the store itself are defects: Unavailable (ports/Unavailable) if they
 * are temporary, such as an unreachable bucket or a full disk.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import type * as Stream from "effect/Stream";
import type { ArtifactOwner } from "../domain/run/Extraction.ts";

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
    /**
     * Durable once it succeeds, and atomic; putting a key again replaces the whole file. Returns the size in
     * bytes.
     */
    readonly put: (key: ArtifactKey, source: ArtifactSource) => Effect.Effect<number>;

    /** Size in bytes; none if the file does not exist. */
    readonly size: (key: ArtifactKey) => Effect.Effect<Option.Option<number>>;

    /** The bytes of the file or of the range. Dies if the file does not exist, so call `size` first. */
    readonly read: (key: ArtifactKey, range: ByteRange | null) => Stream.Stream<Uint8Array>;

    /**
     * Local path of the file, for faster reading than with `read`; callers must not modify it. None if the
     * file does not exist, or the store has no local files.
     */
    readonly localPath: (key: ArtifactKey) => Effect.Effect<Option.Option<string>>;

    /**
     * Local path of the file, or of a copy that lives until the scope closes; callers must not modify it. None if
     * the file does not exist.
     */
    readonly localCopy: (key: ArtifactKey) => Effect.Effect<Option.Option<string>, never, Scope.Scope>;

    /** Removes one attempt's files, if any. */
    readonly removeAttempt: (owner: ArtifactOwner) => Effect.Effect<void>;
  }
>()("@winnow/core/ports/ArtifactStore") {}
