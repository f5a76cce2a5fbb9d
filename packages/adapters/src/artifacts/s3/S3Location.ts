/**
 * Where the bucket is and who we are there.
 *
 * These connections do not go through the egress guard: the address comes from the operator, never from a
 * URL that somebody submitted, and as a rule is in a private network, which the guard is there to refuse.
 */
import * as Redacted from "effect/Redacted";
import type { S3ClientOptions } from "@bradenmacdonald/s3-lite-client";

export interface S3Credentials {
  readonly accessKeyId: Redacted.Redacted;
  readonly secretAccessKey: Redacted.Redacted;
  /** Of temporary credentials. */
  readonly sessionToken: Redacted.Redacted | null;
}

export interface S3Location {
  readonly bucket: string;
  /** Without slashes around it; empty is the whole bucket. */
  readonly prefix: string;
  /** `http(s)://host[:port][/path]`; null is Amazon's own of the region. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** The address that requests go to and errors name. */
export const endpointOf = ({ endpoint, region }: S3Location): string =>
  endpoint ?? `https://s3.${region}.amazonaws.com`;

/** Of an object, or of all that begin with a path. */
export const objectName = ({ prefix }: S3Location, path: string): string =>
  prefix === "" ? path : `${prefix}/${path}`;

/** Amazon's own wants the bucket in the host name, where its certificate allows no dot; others in the path. */
export const clientOptions = (location: S3Location, credentials: S3Credentials): S3ClientOptions => ({
  endPoint: endpointOf(location),
  region: location.region,
  bucket: location.bucket,
  pathStyle: location.endpoint !== null || location.bucket.includes("."),
  accessKey: Redacted.value(credentials.accessKeyId),
  secretKey: Redacted.value(credentials.secretAccessKey),
  ...(credentials.sessionToken === null ? {} : { sessionToken: Redacted.value(credentials.sessionToken) })
});
