/**
 * Signed links to one file that work for a while without an API key. The signature covers
 * everything the link grants.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Long enough to pass to a player or a colleague, short enough that a leaked link is worth little. */
export const FILE_LINK_TTL_MS = 15 * 60_000;

/** What a link grants. */
export interface LinkedFile {
  readonly accountId: string;
  readonly extractionId: string;
  readonly name: string;
  /** Unix seconds of expiry. */
  readonly expiresAtSeconds: number;
}

const MILLISECONDS = 1_000;

export const linkEndOf = (nowMs: number): number => Math.ceil((nowMs + FILE_LINK_TTL_MS) / MILLISECONDS);

const digestOf = (secret: string, { accountId, extractionId, name, expiresAtSeconds }: LinkedFile): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["file", accountId, extractionId, name, expiresAtSeconds]))
    .digest();

/** Base64url. */
export const signLink = (secret: string, file: LinkedFile): string =>
  digestOf(secret, file).toString("base64url");

export type LinkState = "valid" | "expired" | "invalid";

/** The signature is checked before the expiry, since the timestamp of an invalid link cannot be trusted. */
export const linkState = (secret: string, file: LinkedFile, signature: string, nowMs: number): LinkState => {
  const actual = Buffer.from(signature, "base64url");
  const expected = digestOf(secret, file);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return "invalid";
  return nowMs < file.expiresAtSeconds * MILLISECONDS ? "valid" : "expired";
};
