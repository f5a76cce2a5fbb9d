/** The limit of an account's answers that last as long as their client likes: downloads, exports, quotes, new batches. */
import * as Context from "effect/Context";
import * as Layer from "effect/Layer";
import { OpenPerAccount } from "./EventStreams.ts";

/** Per account and process: each holds a connection, and some megabytes of what it is made of. */
export const DOWNLOADS_MAX = 20;

/** Answers that nobody reads are ended by http/HttpListener. */
export class OpenDownloads extends Context.Service<OpenDownloads, Pick<OpenPerAccount, "open">>()(
  "@winnow/server/http/limits/OpenDownloads"
) {}

export const layer = Layer.sync(
  OpenDownloads,
  () =>
    new OpenPerAccount(DOWNLOADS_MAX, {
      message: `${DOWNLOADS_MAX} downloads of this account are open already; finish or close one.`,
      details: { reason: "open_downloads", maxDownloads: DOWNLOADS_MAX }
    })
);
