/**
 * Links to one file that work without a key for a while (contract 11, "Reads"): signed with a secret of the
 * server, over everything that they open.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Long enough to be handed to a player or a colleague, short enough to be worth little when found later. */
export const FILE_LINK_TTL_MS = 15 * 60_000;

/** What a link opens. */
export interface LinkedFile {
  readonly accountId: string;
  readonly extractionId: string;
  readonly name: string;
  /** Unix seconds; from then on it opens nothing. */
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

/** An invalid one is never called expired: its time is not to be believed. */
export const linkState = (secret: string, file: LinkedFile, signature: string, nowMs: number): LinkState => {
  const given = Buffer.from(signature, "base64url");
  const expected = digestOf(secret, file);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "invalid";
  return nowMs < file.expiresAtSeconds * MILLISECONDS ? "valid" : "expired";
};
