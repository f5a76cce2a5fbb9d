/**
 * Links to a table of results, which a spreadsheet reads again and again without a key. Like links to files, they
 * are signed, and work in every process and across restarts.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Store } from "../../ports/Store.ts";
import { makeSigningSecret } from "../SigningSecret.ts";
import { grantState, signatureOf, type Grant, type LinkState } from "./FileLinks.ts";

/** A spreadsheet is used for longer than a player. */
export const RESULT_LINK_TTL_MS = 30 * 24 * 60 * 60_000;

const MILLISECONDS = 1_000;

/** What a link grants: the rows of these filters, in this form, and nothing else. */
export interface LinkedResults {
  readonly accountId: string;
  /** The API key that made it: revoked, it takes the link with it. Null for a web session's. */
  readonly apiKeyId: string | null;
  /** The query of `GET /v1/results`, in the order of its names. */
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  /** Unix seconds of expiry. */
  readonly expiresAtSeconds: number;
}

export interface SignedResults extends LinkedResults {
  readonly signature: string;
}

const grantOf = ({ accountId, apiKeyId, query, expiresAtSeconds }: LinkedResults): Grant => [
  "results",
  accountId,
  apiKeyId ?? "",
  expiresAtSeconds,
  ...query.flat()
];

export class ResultLinks extends Context.Service<
  ResultLinks,
  {
    readonly create: (
      link: Pick<LinkedResults, "accountId" | "apiKeyId" | "query">
    ) => Effect.Effect<SignedResults>;

    readonly check: (link: SignedResults) => Effect.Effect<LinkState>;
  }
>()("@winnow/core/engine/extractions/ResultLinks") {}

const make = Effect.gen(function* () {
  const secret = yield* makeSigningSecret("result-links");
  const { listApiKeys } = yield* Store;
  return ResultLinks.of({
    create: Effect.fn("ResultLinks.create")(function* (made) {
      const nowMs = yield* Clock.currentTimeMillis;
      const expiresAtSeconds = Math.ceil((nowMs + RESULT_LINK_TTL_MS) / MILLISECONDS);
      const link = { ...made, expiresAtSeconds };
      return { ...link, signature: signatureOf(yield* secret, grantOf(link)) };
    }),
    check: Effect.fn("ResultLinks.check")(function* (link) {
      const leftMs = link.expiresAtSeconds * MILLISECONDS - (yield* Clock.currentTimeMillis);
      const state = grantState(yield* secret, grantOf(link), link.signature, leftMs);
      const { accountId, apiKeyId } = link;
      if (state !== "valid" || apiKeyId === null) return state;
      return (yield* listApiKeys(accountId)).some(({ id }) => id === apiKeyId) ? state : "revoked";
    })
  });
});

export const layer = Layer.effect(ResultLinks, make);
