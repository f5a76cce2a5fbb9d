/**
 * The bucket's location and the credentials.
 *
 * These connections bypass the egress guard: the address is set by the operator, never taken from a submitted URL,
 * and is usually in a private network, which the guard would reject.
 */
import * as Redacted from "effect/Redacted";
import type { S3ClientOptions } from "@bradenmacdonald/s3-lite-client";

export interface S3Credentials {
  readonly accessKeyId: Redacted.Redacted;
  readonly secretAccessKey: Redacted.Redacted;
  /** Only for temporary credentials. */
  readonly sessionToken: Redacted.Redacted | null;
}

export interface S3Location {
  readonly bucket: string;
  /** Without leading and trailing slash; empty for the whole bucket. */
  readonly prefix: string;
  /** `http(s)://host[:port][/path]`; null for Amazon's own endpoint of the region. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** The address that requests use and errors mention. */
export const endpointOf = ({ endpoint, region }: S3Location): string =>
  endpoint ?? `https://s3.${region}.amazonaws.com`;

/** Key of an object, or prefix of all keys under a path. */
export const objectName = ({ prefix }: S3Location, path: string): string =>
  prefix === "" ? path : `${prefix}/${path}`;

/**
 * Amazon expects the bucket in the host name, but its certificate covers no further dots; other stores expect it in
 * the path.
 */
export const clientOptions = (location: S3Location, credentials: S3Credentials): S3ClientOptions => ({
  endPoint: endpointOf(location),
  region: location.region,
  bucket: location.bucket,
  pathStyle: location.endpoint !== null || location.bucket.includes("."),
  accessKey: Redacted.value(credentials.accessKeyId),
  secretKey: Redacted.value(credentials.secretAccessKey),
  ...(credentials.sessionToken === null ? {} : { sessionToken: Redacted.value(credentials.sessionToken) })
});
