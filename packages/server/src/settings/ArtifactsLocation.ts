/** Parses WINNOW_ARTIFACTS_URL: where artifacts are stored. Pure. Tests: Config.test.ts. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface ArtifactsDirectory {
  readonly _tag: "Directory";
  /** Absolute. */
  readonly directory: string;
}

export interface ArtifactsBucket {
  readonly _tag: "Bucket";
  readonly bucket: string;
  /** Without leading and trailing slash; empty for the whole bucket. */
  readonly prefix: string;
  /** Without a trailing slash; null for Amazon's own endpoint of the region. */
  readonly endpoint: string | null;
  readonly region: string;
}

export type ArtifactsLocation = ArtifactsDirectory | ArtifactsBucket;

/** The region for endpoints without regions, which is most of them except Amazon's. */
const REGION_DEFAULT = "us-east-1";

/** "media.eu-1". Rules of S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/u;
/** "winnow/v1", or nothing. */
const PREFIX = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)*)?$/u;
const REGION = /^[a-z0-9-]{1,64}$/u;

/** Completes "must be ...". */
export const ARTIFACTS_URL_EXPECTED =
  "a file: URL of a directory, or s3://bucket/prefix?endpoint=https://host&region=name without credentials";

/** `file://…` is a URL; without the slashes, the rest is a path as people write it, absolute or relative. */
const directoryOf = (text: string): ArtifactsDirectory | null => {
  if (!text.startsWith("file://"))
    return { _tag: "Directory", directory: resolve(text.slice("file:".length)) };
  try {
    return { _tag: "Directory", directory: fileURLToPath(text) };
  } catch {
    return null; // names another host, or contains an encoded slash
  }
};

const endpointOf = (text: string): string | null => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  const { username, password, search, hash } = url;
  return username + password + search + hash === "" ? url.href.replace(/\/+$/u, "") : null;
};

const bucketOf = (text: string): ArtifactsBucket | null => {
  const url = URL.parse(text);
  if (url === null || url.username + url.password + url.port + url.hash !== "") return null;
  const names = [...url.searchParams.keys()];
  if (names.some((name) => !["endpoint", "region"].includes(name)) || new Set(names).size < names.length) {
    return null;
  }
  const endpointParameter = url.searchParams.get("endpoint");
  const endpoint = endpointParameter === null ? null : endpointOf(endpointParameter);
  const region = url.searchParams.get("region") ?? REGION_DEFAULT;
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/gu, "");
  const isGood =
    BUCKET.test(url.hostname) &&
    PREFIX.test(prefix) &&
    REGION.test(region) &&
    (endpointParameter === null || endpoint !== null);
  return isGood ? { _tag: "Bucket", bucket: url.hostname, prefix, endpoint, region } : null;
};

/** Null if it is neither a `file:` nor an `s3://` URL, or is invalid. */
export const parseArtifactsUrl = (text: string): ArtifactsLocation | null => {
  if (text.startsWith("file:")) return directoryOf(text);
  return text.startsWith("s3://") ? bucketOf(text) : null;
};
