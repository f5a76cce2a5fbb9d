/**
 * Creates and verifies links to one file that work for a while without a key, in every process and across restarts.
 * The signature covers everything the link grants.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { NotFound } from "../../domain/request/Refusal.ts";
import type { Store } from "../../ports/Store.ts";
import { Extractions } from "./Extractions.ts";
import { makeSigningSecret } from "../SigningSecret.ts";

/** Long enough to pass to a player or a colleague, short enough that a leaked link is worth little. */
export const FILE_LINK_TTL_MS = 15 * 60_000;

/** What a link grants. */
interface LinkedFile {
  readonly accountId: string;
  readonly extractionId: string;
  readonly name: string;
  /** Unix seconds of expiry. */
  readonly expiresAtSeconds: number;
}

/** Everything that a link grants, with its kind first, so that no link passes for one of another kind. */
export type Grant = readonly [
  kind: "file" | "mcp-session" | "results",
  ...granted: ReadonlyArray<string | number>
];

const digestOf = (secret: string, grant: Grant): Buffer =>
  createHmac("sha256", secret).update(JSON.stringify(grant)).digest();

/** Base64url. */
export const signatureOf = (secret: string, grant: Grant): string =>
  digestOf(secret, grant).toString("base64url");

const grantOf = ({ accountId, extractionId, name, expiresAtSeconds }: LinkedFile): Grant => [
  "file",
  accountId,
  extractionId,
  name,
  expiresAtSeconds
];

export type LinkState = "valid" | "expired" | "invalid" | "revoked";

/** The signature is checked before the expiry, since the timestamp of an invalid link cannot be trusted. */
export const grantState = (secret: string, grant: Grant, signature: string, leftMs: number): LinkState => {
  const actual = Buffer.from(signature, "base64url");
  const expected = digestOf(secret, grant);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return "invalid";
  return leftMs > 0 ? "valid" : "expired";
};

export interface SignedLink extends LinkedFile {
  readonly signature: string;
}

export class FileLinks extends Context.Service<
  FileLinks,
  {
    /** @fails NotFound as Extractions.openFile */
    readonly create: (accountId: string, id: string, name: string) => Effect.Effect<SignedLink, NotFound>;

    readonly check: (link: SignedLink) => Effect.Effect<LinkState>;
  }
>()("@winnow/core/engine/extractions/FileLinks") {}

const make = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const secret = yield* makeSigningSecret("file-links");

  return FileLinks.of({
    create: Effect.fn("FileLinks.create")(function* (accountId, extractionId, name) {
      yield* extractions.openFile(accountId, extractionId, name);
      const nowMs = yield* Clock.currentTimeMillis;
      const expiresAtSeconds = Math.ceil((nowMs + FILE_LINK_TTL_MS) / 1_000);
      const file = { accountId, extractionId, name, expiresAtSeconds };
      return { ...file, signature: signatureOf(yield* secret, grantOf(file)) };
    }),
    check: Effect.fn("FileLinks.check")(function* (link) {
      const leftMs = link.expiresAtSeconds * 1_000 - (yield* Clock.currentTimeMillis);
      return grantState(yield* secret, grantOf(link), link.signature, leftMs);
    })
  });
});

export const layer: Layer.Layer<FileLinks, never, Store | Extractions> = Layer.effect(FileLinks, make);
