/** The settings of where things are stored: database and artifacts. Tests: Config.test.ts. */
import { resolve } from "node:path";
import { ARTIFACTS_URL_EXPECTED, type ArtifactsLocation, parseArtifactsUrl } from "./ArtifactsLocation.ts";
import { setting } from "./SettingRow.ts";
import { secretUrl, token } from "./SettingValue.ts";

export const STORAGE_SETTINGS = {
  databaseUrl: setting({
    name: "WINNOW_DATABASE_URL",
    kind: secretUrl("postgres:", "postgresql:"),
    expected: "a postgres:// URL, or unset for the embedded database",
    default: null,
    defaultText: "the embedded PostgreSQL",
    meaning: "`postgres://…` URL of your own PostgreSQL",
    secret: true
  }),
  databaseDirectUrl: setting({
    name: "WINNOW_DATABASE_DIRECT_URL",
    kind: secretUrl("postgres:", "postgresql:"),
    expected: "a postgres:// URL, or unset without a pooler",
    default: null,
    defaultText: "none",
    meaning:
      "direct URL of the same database, behind a [pooler in transaction mode](../operations.md#your-own-postgresql)",
    secret: true
  }),
  // Secret, because people put credentials into it.
  artifactsUrl: setting({
    name: "WINNOW_ARTIFACTS_URL",
    kind: { parse: parseArtifactsUrl },
    expected: ARTIFACTS_URL_EXPECTED,
    default: (dataDir: string): ArtifactsLocation => ({
      _tag: "Directory",
      directory: resolve(dataDir, "artifacts")
    }),
    defaultText: "`DATA_DIR/artifacts`",
    meaning:
      "`file:…` folder, or [a bucket](../operations.md#artifacts-in-a-bucket): `s3://bucket/prefix?endpoint=https://host&region=name`",
    secret: true
  }),
  awsAccessKeyId: setting({
    name: "AWS_ACCESS_KEY_ID",
    kind: token,
    expected: "an access key id",
    default: null,
    meaning: "access key id for the bucket; required with a bucket",
    secret: true
  }),
  awsSecretAccessKey: setting({
    name: "AWS_SECRET_ACCESS_KEY",
    kind: token,
    expected: "a secret access key",
    default: null,
    meaning: "secret access key for the bucket; required with a bucket",
    secret: true
  }),
  awsSessionToken: setting({
    name: "AWS_SESSION_TOKEN",
    kind: token,
    expected: "a session token",
    default: null,
    meaning: "session token of temporary credentials",
    secret: true
  })
};
