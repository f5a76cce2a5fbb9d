/**
 * Artifacts as files in a folder: `extraction/attempt/name`.
 *
 * A file gets its name only once it is complete and on disk. Keys that could lead outside are rejected, and
 * symbolic links below the folder are not followed. Processes of one machine may share the folder.
 */
import { lstat, mkdir, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ArtifactOwner } from "@winnow/core/domain/run/Extraction";
import {
  type ArtifactKey,
  type ArtifactSource,
  ArtifactStore,
  type ByteRange
} from "@winnow/core/ports/ArtifactStore";
import { toleratingCodes } from "@winnow/isolation/runtime/ErrorCode";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import * as Stream from "effect/Stream";
import { artifactPath, attemptPath } from "../ArtifactPath.ts";
import { makeFolder, placeBytes, placeFile, transitPath } from "./DurableFile.ts";
import { faultOf } from "./FileFault.ts";
import { fileChunks } from "./FileChunks.ts";

/** Incoming files and outgoing folders; ids cannot start with a dot. */
const TRANSIT_FOLDER = ".transit";

/**
 * False if a folder on the path is missing or a symbolic link. `path` is an artifact's path under a root that is a
 * real path.
 */
const isInPlace = async (path: string): Promise<boolean> => {
  const folder = dirname(path);
  return (await realpath(folder).catch(toleratingMissing)) === folder;
};

const toleratingMissing = toleratingCodes("ENOENT", "ENOTDIR");

export interface FileArtifactsOptions {
  /** Created if missing, accessible to our user only. */
  readonly directory: string;
}

/**
 * Leftovers of a crash are removed from transit after this time without writes; active writers write constantly.
 */
const TRANSIT_MAX_AGE_MS = 3 * 60 * 1000;
const TRANSIT_SWEEP_INTERVAL_MS = 60 * 1000;

/** The file operations as promises; rejections are defects of the store. */
class ArtifactFiles {
  readonly #root: string;
  readonly #transit: string;
  readonly #making = new Map<string, Promise<void>>();

  constructor(root: string) {
    this.#root = root;
    this.#transit = join(root, TRANSIT_FOLDER);
  }

  async put(key: ArtifactKey, source: ArtifactSource): Promise<number> {
    const path = this.#under(artifactPath(key));
    if (path === null) throw new Error(`FileArtifacts: refused the key ${JSON.stringify(key)}`);
    await this.#makeFolder(path);
    return source._tag === "Bytes"
      ? placeBytes(source.bytes, path, this.#transit)
      : placeFile(source.path, path, this.#transit);
  }

  async size(key: ArtifactKey): Promise<Option.Option<number>> {
    const path = this.#under(artifactPath(key));
    if (path === null || !(await isInPlace(path))) return Option.none();
    const found = await lstat(path).catch(toleratingMissing);
    return found?.isFile() === true ? Option.some(found.size) : Option.none();
  }

  async localPath(key: ArtifactKey): Promise<Option.Option<string>> {
    const path = this.#under(artifactPath(key));
    return path === null || Option.isNone(await this.size(key)) ? Option.none() : Option.some(path);
  }

  async *read(key: ArtifactKey, range: ByteRange | null): AsyncGenerator<Uint8Array, void> {
    const path = this.#under(artifactPath(key));
    if (path === null || !(await isInPlace(path))) {
      throw new Error(`FileArtifacts: no file for the key ${JSON.stringify(key)}`);
    }
    yield* fileChunks(path, range);
  }

  async removeAttempt(owner: ArtifactOwner): Promise<void> {
    const folder = this.#under(attemptPath(owner));
    if (folder === null) return;
    await this.#remove(folder);
    // Another attempt may exist, or be about to be stored.
    await rmdir(dirname(folder)).catch(() => {});
  }

  /** Removes leftovers of a crash from transit. */
  async sweep(): Promise<void> {
    const oldestMs = Date.now() - TRANSIT_MAX_AGE_MS;
    for (const name of await readdir(this.#transit)) {
      const path = join(this.#transit, name);
      const found = await lstat(path).catch(toleratingMissing);
      if (found !== undefined && found.mtimeMs < oldestMs) await rm(path, { recursive: true, force: true });
    }
  }

  #under(path: string | null): string | null {
    return path === null ? null : join(this.#root, path);
  }

  /** Renamed away first, so that it disappears atomically, and then deleted. */
  async #remove(folder: string): Promise<void> {
    const leaving = transitPath(this.#transit);
    await rename(folder, leaving).catch(toleratingMissing);
    await rm(leaving, { recursive: true, force: true });
  }

  /** Concurrent callers share one creation: no put may finish before the folder's name is on disk. */
  #makeFolder(path: string): Promise<void> {
    const folder = dirname(path);
    const make = async (): Promise<void> => {
      await makeFolder(this.#root, folder);
      if (!(await isInPlace(path))) throw new Error(`FileArtifacts: ${folder} is a symbolic link`);
    };
    const made = this.#making.get(folder) ?? make().finally(() => this.#making.delete(folder));
    this.#making.set(folder, made);
    return made;
  }
}

const open = async (directory: string): Promise<ArtifactFiles> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const root = await realpath(directory);
  await mkdir(join(root, TRANSIT_FOLDER), { recursive: true, mode: 0o700 });
  const files = new ArtifactFiles(root);
  await files.sweep();
  return files;
};

/** Rejections as defects; transient faults as Unavailable. */
const orFault = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.tryPromise({ try: work, catch: faultOf }).pipe(Effect.orDie);

const service = (files: ArtifactFiles) =>
  ArtifactStore.of({
    // Uninterruptible: an interrupted file operation would continue in the background.
    put: Effect.fn("FileArtifacts.put")((key: ArtifactKey, source: ArtifactSource) =>
      Effect.uninterruptible(orFault(() => files.put(key, source)))
    ),
    size: Effect.fn("FileArtifacts.size")((key: ArtifactKey) => orFault(() => files.size(key))),
    read: (key, range) =>
      Stream.orDie(Stream.suspend(() => Stream.fromAsyncIterable(files.read(key, range), faultOf))),
    localCopy: Effect.fn("FileArtifacts.localCopy")((key: ArtifactKey) =>
      orFault(() => files.localPath(key))
    ),
    localPath: Effect.fn("FileArtifacts.localPath")((key: ArtifactKey) =>
      orFault(() => files.localPath(key))
    ),
    removeAttempt: Effect.fn("FileArtifacts.removeAttempt")((owner: ArtifactOwner) =>
      Effect.uninterruptible(orFault(() => files.removeAttempt(owner)))
    )
  });

const sweepOnSchedule = (files: ArtifactFiles): Effect.Effect<void> =>
  Effect.promise(() => files.sweep()).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Incomplete files could not be removed", cause)),
    Effect.repeat(Schedule.spaced(TRANSIT_SWEEP_INTERVAL_MS)),
    Effect.asVoid
  );

export const layer = (options: FileArtifactsOptions): Layer.Layer<ArtifactStore> =>
  Layer.effect(
    ArtifactStore,
    Effect.gen(function* () {
      const files = yield* Effect.promise(() => open(options.directory));
      yield* Effect.forkScoped(Effect.delay(sweepOnSchedule(files), TRANSIT_SWEEP_INTERVAL_MS));
      return service(files);
    })
  );
