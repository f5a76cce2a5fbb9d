/** Artifacts in a folder or in a bucket, and the disks that a process writes to. */
import { join } from "node:path";
import * as FileArtifacts from "@winnow/adapters/storage/files/FileArtifacts";
import * as DiskSpace from "@winnow/adapters/storage/files/DiskSpace";
import { requirePackage } from "@winnow/adapters/runtime/OptionalPackage";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { ArtifactsLocation } from "../settings/ArtifactsLocation.ts";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { adapterMessage, SETTINGS } from "../settings/SettingsTable.ts";
import { lazily } from "../lazily.ts";
import { notStarted, type StartFailed } from "../settings/StartFailed.ts";
import { sentenceOf, waitFor } from "./waiting.ts";

/** readSettings rejects a bucket without credentials. */
const NO_KEY = Redacted.make("");

const s3Artifacts = lazily(() => import("@winnow/adapters/storage/s3/S3Artifacts"), "layer");

const inBucketOf = (
  { awsAccessKeyId, awsSecretAccessKey, awsSessionToken, dataDir }: Settings,
  location: Exclude<ArtifactsLocation, { readonly _tag: "Directory" }>
) => {
  const credentials = {
    accessKeyId: awsAccessKeyId ?? NO_KEY,
    secretAccessKey: awsSecretAccessKey ?? NO_KEY,
    sessionToken: awsSessionToken
  };
  return s3Artifacts({ location, credentials, workDir: join(dataDir, "work") });
};

/** Waits for an unavailable bucket without a time limit. */
export const awaitArtifacts = (settings: Settings): Effect.Effect<void> => {
  const { artifactsUrl: location } = settings;
  if (location._tag === "Directory") return Effect.void;
  const inBucket = inBucketOf(settings, location);
  const probing = Effect.scoped(
    Effect.andThen(requirePackage("@bradenmacdonald/s3-lite-client"), Layer.build(inBucket))
  );
  return waitFor(
    sentenceOf(probing, (error) =>
      error._tag === "S3ArtifactsRefused" && error.isAway === true
        ? told`${SETTINGS.artifactsUrl}: ${error.message}`.message
        : null
    )
  );
};

/** Checks whether files can be stored; returns where. */
export const pingArtifacts = (settings: Settings): Effect.Effect<string, StartFailed> => {
  const { artifactsUrl: location } = settings;
  return location._tag === "Directory"
    ? Effect.succeed(location.directory)
    : Effect.as(Effect.scoped(Layer.build(artifacts(settings))), `bucket ${location.bucket}`);
};

export const artifacts = (settings: Settings): Layer.Layer<ArtifactStore, StartFailed> => {
  const { artifactsUrl: location } = settings;
  if (location._tag === "Directory") return FileArtifacts.layer(location);
  const inBucket = inBucketOf(settings, location);
  return Layer.unwrap(Effect.as(requirePackage("@bradenmacdonald/s3-lite-client"), inBucket)).pipe(
    Layer.catchTag(["PackageMissing", "S3ArtifactsRefused"], (error) =>
      notStarted<ArtifactStore>(
        told`${SETTINGS.artifactsUrl}: ${adapterMessage(error.message)}`,
        error._tag === "S3ArtifactsRefused" && error.isAway === true
      )
    )
  );
};

/** The disks; `directory` is that of the artifacts, null if they are in a bucket. */
export const freeSpace = (dataDir: string, directory: string | null): Layer.Layer<never> =>
  DiskSpace.layer({ data: dataDir, ...(directory === null ? {} : { artifacts: directory }) });

export const freeBytesOf = DiskSpace.freeBytesOf;
