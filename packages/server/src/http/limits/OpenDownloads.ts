/** The limit of an account's answers that last as long as their client likes: downloads, exports, quotes, new batches. */
import { RateLimited } from "@winnow/core/domain/request/Refusal";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { Principal } from "../authentication/Authorization.ts";
import { OpenPerAccount } from "./EventStreams.ts";

/** Per account and process: each holds a connection, and some megabytes of what it is made of. */
export const DOWNLOADS_MAX = 20;

/** Seconds after which one of the open downloads may have ended; a guess. */
const RETRY_SECONDS = 5;

const tooMany = new RateLimited({
  message: `${DOWNLOADS_MAX} downloads of this account are open already; finish or close one.`,
  details: { reason: "open_downloads", maxDownloads: DOWNLOADS_MAX },
  retryAfterSeconds: RETRY_SECONDS
});

export class OpenDownloads extends Context.Service<
  OpenDownloads,
  {
    /**
     * Counts one until the answer has ended, except for the embedding program. Answers that nobody reads are ended by
     * http/HttpListener.
     *
     * @fails RateLimited {reason: "open_downloads"} the account has {@link DOWNLOADS_MAX}
     */
    readonly open: Effect.Effect<void, RateLimited, Principal | Scope.Scope>;
  }
>()("@winnow/server/http/limits/OpenDownloads") {}

export const layer = Layer.sync(OpenDownloads, () => {
  const downloads = new OpenPerAccount(DOWNLOADS_MAX);
  return OpenDownloads.of({
    open: Effect.gen(function* () {
      const { accountId, via } = yield* Principal;
      if (via !== "process" && !(yield* downloads.open(accountId))) return yield* tooMany;
    })
  });
});
