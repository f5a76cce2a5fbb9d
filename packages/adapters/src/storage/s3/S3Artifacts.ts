/**
 * Artifacts as objects of an S3-compatible bucket: `prefix/extraction/attempt/name`.
 *
 * An object gets its name only once it is complete, as S3 guarantees. Any number of processes may share the bucket.
 */
import type { ArtifactOwner } from "@winnow/core/domain/run/Extraction";
import {
  type ArtifactKey,
  type ArtifactSource,
  ArtifactStore,
  type ByteRange
} from "@winnow/core/ports/ArtifactStore";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { localCopyOf } from "../localCopy.ts";
import { artifactPath, attemptPath } from "../ArtifactPath.ts";
import { isOfStore, isPassing, S3ArtifactsRefused, S3TimedOut } from "./S3Failure.ts";
import type { S3Credentials, S3Location } from "./S3Location.ts";
import { S3Objects } from "./S3Objects.ts";

export interface S3ArtifactsOptions {
  readonly location: S3Location;
  readonly credentials: S3Credentials;
  /** For local copies; created when one is needed. */
  readonly workDir: string;
}

/** Object stores recover from overload or failover within seconds. */
const AWAY_RETRY_SECONDS = 5;

/** Time limit of the check at start-up, after which a wrong address is reported. */
const START_TIMEOUT_MS = 15_000;

const check = (objects: S3Objects): Effect.Effect<void, S3ArtifactsRefused> =>
  objects.check.pipe(
    Effect.timeoutOrElse({
      duration: START_TIMEOUT_MS,
      orElse: () => Effect.fail(new S3TimedOut(START_TIMEOUT_MS))
    }),
    Effect.mapError(
      (cause) =>
        new S3ArtifactsRefused({ message: `${objects.s3ErrorMessage(cause)}.`, isAway: isPassing(cause) })
    )
  );

/** For addresses and keys that the library rejects without a request. */
const unusable = (cause: unknown): S3ArtifactsRefused =>
  new S3ArtifactsRefused({
    message:
      `${cause instanceof Error ? cause.message : String(cause)} The credentials come from ` +
      "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones, AWS_SESSION_TOKEN."
  });

const service = (objects: S3Objects, workDir: string) => {
  const explained = (doing: string, cause: unknown) => {
    const message = `S3Artifacts: ${doing}: ${objects.s3ErrorMessage(cause)}`;
    return isOfStore(cause)
      ? new Unavailable({
          what: "artifacts",
          reason: "away",
          message,
          retryAfterSeconds: AWAY_RETRY_SECONDS,
          cause
        })
      : new Error(message, { cause });
  };

  const orDie =
    (doing: string) =>
    <A>(effect: Effect.Effect<A, unknown>): Effect.Effect<A> =>
      effect.pipe(
        Effect.mapError((cause) => explained(doing, cause)),
        Effect.orDie
      );

  const reading: Pick<ArtifactStore["Service"], "size" | "read"> = {
    size: Effect.fn("S3Artifacts.size")((key: ArtifactKey) => {
      const path = artifactPath(key);
      return path === null
        ? Effect.succeed(Option.none())
        : objects.size(path).pipe(orDie(`the size of ${path}`));
    }),
    read: (key: ArtifactKey, range: ByteRange | null) => {
      const path = artifactPath(key);
      return path === null
        ? Stream.die(new Error(`S3Artifacts: no object for the key ${JSON.stringify(key)}`))
        : objects.read(path, range).pipe(
            Stream.mapError((cause) => explained(`reading ${path}`, cause)),
            Stream.orDie
          );
    }
  };
  return ArtifactStore.of({
    ...reading,
    put: Effect.fn("S3Artifacts.put")((key: ArtifactKey, source: ArtifactSource) => {
      const path = artifactPath(key);
      return path === null
        ? Effect.die(new Error(`S3Artifacts: refused the key ${JSON.stringify(key)}`))
        : objects.put(path, source).pipe(orDie(`storing ${path}`));
    }),
    localPath: () => Effect.succeedNone,
    localCopy: localCopyOf(reading, workDir),
    removeAttempt: Effect.fn("S3Artifacts.removeAttempt")((owner: ArtifactOwner) => {
      const path = attemptPath(owner);
      return path === null ? Effect.void : objects.removeAll(`${path}/`).pipe(orDie(`removing ${path}`));
    })
  });
};

/** Fails if the bucket cannot be reached, written, listed or emptied. */
export const layer = ({
  location,
  credentials,
  workDir
}: S3ArtifactsOptions): Layer.Layer<ArtifactStore, S3ArtifactsRefused> =>
  Layer.effect(
    ArtifactStore,
    Effect.gen(function* () {
      const objects = yield* Effect.try({
        try: () => new S3Objects(location, credentials),
        catch: unusable
      });
      yield* check(objects);
      return service(objects, workDir);
    })
  );
