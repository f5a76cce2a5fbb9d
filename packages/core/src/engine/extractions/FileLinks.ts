/**
 * Creates and verifies links to one file that work for a while without a key, in every process and across restarts.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import {
  linkEndOf,
  linkState,
  signLink,
  type LinkedFile,
  type LinkState
} from "../../domain/access/FileLink.ts";
import type { NotFound } from "../../domain/request/Refusal.ts";
import { Store } from "../../ports/Store.ts";
import { Extractions } from "./Extractions.ts";
import { systemRandomBytes } from "../Ids.ts";

/** Name and length in bytes of the signing secret. */
const SECRET_NAME = "file-links";
const SECRET_BYTES = 32;

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
  const store = yield* Store;
  const extractions = yield* Extractions;
  let loaded: string | null = null;

  /** Loaded once; retried if the database is unavailable. */
  const secret = Effect.gen(function* () {
    if (loaded !== null) return loaded;
    const fresh = Buffer.from(yield* systemRandomBytes(SECRET_BYTES)).toString("base64url");
    loaded = yield* store.keepSecret(SECRET_NAME, fresh);
    return loaded;
  });

  return FileLinks.of({
    create: Effect.fn("FileLinks.create")(function* (accountId, extractionId, name) {
      yield* extractions.openFile(accountId, extractionId, name);
      const expiresAtSeconds = linkEndOf(yield* Clock.currentTimeMillis);
      const file = { accountId, extractionId, name, expiresAtSeconds };
      return { ...file, signature: signLink(yield* secret, file) };
    }),
    check: Effect.fn("FileLinks.check")(function* (link) {
      return linkState(yield* secret, link, link.signature, yield* Clock.currentTimeMillis);
    })
  });
});

export const layer: Layer.Layer<FileLinks, never, Store | Extractions> = Layer.effect(FileLinks, make);
