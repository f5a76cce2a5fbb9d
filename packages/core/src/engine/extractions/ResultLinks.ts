/**
 * Links to a table of results, which a spreadsheet reads again and again without a key. Like links to files, they
 * are signed, and work in every process and across restarts.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { DAY_MS } from "../../domain/Durations.ts";
import { Sessions } from "../../ports/Sessions.ts";
import { Store } from "../../ports/Store.ts";
import { makeSigningSecret } from "../SigningSecret.ts";
import { grantState, signatureOf, type Grant, type LinkState } from "./FileLinks.ts";

/** A spreadsheet is used for longer than a player. */
export const RESULT_LINK_TTL_MS = 30 * DAY_MS;

/** What a link grants: the rows of these filters, in this form, and nothing else. */
export interface LinkedResults {
  readonly accountId: string;
  /** The API key that made it: revoked, it takes the link with it. Null if no key did, such as in a web session. */
  readonly apiKeyId: string | null;
  /** The member who made it without a key: removed, they take the link with them. Null if it is nobody known. */
  readonly memberId: string | null;
  /** Without a key: how often the account had been signed out everywhere; the next time ends the link. */
  readonly signOuts: number | null;
  /** The query of `GET /v1/results`, in the order of its names. */
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  /** Unix seconds of expiry. */
  readonly expiresAtSeconds: number;
}

export interface SignedResults extends LinkedResults {
  readonly signature: string;
}

const grantOf = ({
  accountId,
  apiKeyId,
  memberId,
  signOuts,
  query,
  expiresAtSeconds
}: LinkedResults): Grant => [
  "results",
  accountId,
  apiKeyId ?? "",
  memberId ?? "",
  signOuts ?? "",
  expiresAtSeconds,
  ...query.flat()
];

export class ResultLinks extends Context.Service<
  ResultLinks,
  {
    readonly create: (
      link: Pick<LinkedResults, "accountId" | "apiKeyId" | "memberId" | "query">
    ) => Effect.Effect<SignedResults>;

    readonly check: (link: SignedResults) => Effect.Effect<LinkState>;
  }
>()("@winnow/core/engine/extractions/ResultLinks") {}

const make = Effect.gen(function* () {
  const secret = yield* makeSigningSecret("result-links");
  const { listApiKeys } = yield* Store;
  const { listMembers, revokedAllCount } = yield* Sessions;

  /** Whether what made the link still could. */
  const isMakerThere = Effect.fnUntraced(function* (link: LinkedResults, nowMs: number) {
    const { accountId, apiKeyId, memberId, signOuts } = link;
    if (apiKeyId !== null) return (yield* listApiKeys(accountId)).some(({ id }) => id === apiKeyId);
    if ((yield* revokedAllCount(accountId)) !== signOuts) return false;
    return memberId === null || (yield* listMembers(accountId, nowMs)).some(({ id }) => id === memberId);
  });

  return ResultLinks.of({
    create: Effect.fn("ResultLinks.create")(function* (made) {
      const nowMs = yield* Clock.currentTimeMillis;
      const expiresAtSeconds = Math.ceil((nowMs + RESULT_LINK_TTL_MS) / 1_000);
      const isOfKey = made.apiKeyId !== null;
      const link = {
        ...made,
        memberId: isOfKey ? null : made.memberId,
        signOuts: isOfKey ? null : yield* revokedAllCount(made.accountId),
        expiresAtSeconds
      };
      return { ...link, signature: signatureOf(yield* secret, grantOf(link)) };
    }),
    check: Effect.fn("ResultLinks.check")(function* (link) {
      const nowMs = yield* Clock.currentTimeMillis;
      const leftMs = link.expiresAtSeconds * 1_000 - nowMs;
      const state = grantState(yield* secret, grantOf(link), link.signature, leftMs);
      return state !== "valid" || (yield* isMakerThere(link, nowMs)) ? state : "revoked";
    })
  });
});

export const layer = Layer.effect(ResultLinks, make);
