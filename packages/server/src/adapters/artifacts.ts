/**
 * Artifacts in a folder or in a bucket.
 */
import * as FileArtifacts from "@winnow/adapters/artifacts/files/FileArtifacts";
import { requirePackage } from "@winnow/adapters/optional/OptionalPackage";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { Settings } from "../Config.ts";
import { lazily } from "../lazily.ts";
import type { StartFailed } from "../StartFailed.ts";
import { notStarted } from "./notStarted.ts";

/** readSettings lets no bucket pass without its keys. */
const NO_KEY = Redacted.make("");

export const artifacts = (settings: Settings): Layer.Layer<ArtifactStore, StartFailed> => {
  const { artifacts: location, awsAccessKeyId, awsSecretAccessKey, awsSessionToken } = settings;
  if (location._tag === "Directory") return FileArtifacts.layer(location);
  const credentials = {
    accessKeyId: awsAccessKeyId ?? NO_KEY,
    secretAccessKey: awsSecretAccessKey ?? NO_KEY,
    sessionToken: awsSessionToken
  };
  const inBucket = lazily(
    () => import("@winnow/adapters/artifacts/s3/S3Artifacts"),
    (S3Artifacts) => S3Artifacts.layer({ location, credentials })
  );
  return Layer.unwrap(Effect.as(requirePackage("@bradenmacdonald/s3-lite-client"), inBucket)).pipe(
    Layer.catchTag(["PackageMissing", "S3ArtifactsRefused"], ({ message }) =>
      notStarted<ArtifactStore>(`WINNOW_ARTIFACTS_URL: ${message}`)
    )
  );
};
