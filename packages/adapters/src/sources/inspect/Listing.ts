/** What a channel or playlist lists: one flat look of yt-dlp, which opens none of the items. Tests: MediaDownloader.test.ts. */
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { ListRequest } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import type { EgressProxy } from "@winnow/isolation/network/Egress";
import { withinFolder } from "@winnow/isolation/process/RunFolder";
import { folderMaxBytes } from "../DownloadLimits.ts";
import { classify, explainedBy, failed, failureOf, processFailure } from "../failures/classify.ts";
import { type Info, readInfo } from "../yt-dlp/InfoDict.ts";
import { isPost } from "./postMedia.ts";
import { openPlace, startInTurn } from "./RoutedServices.ts";
import type { InspectorServices } from "./InspectionContext.ts";

const noListing = failed("not_extractable", "There is no channel or playlist at this URL.");

/** Notes that an extractor leaves for another one at the end of a URL. */
const NOTES = /#__youtubedl_smuggle=.*$/u;

/** A channel of YouTube has a playlist for each of its tabs. */
const entriesOf = ({ entries }: Info): ReadonlyArray<Info> =>
  entries.flatMap((entry) => (entry.type === "playlist" ? entriesOf(entry) : [entry]));

/** Media on the listing's own page have no URL that could be submitted. */
const urlsOf = (listing: Info): ReadonlyArray<string> =>
  entriesOf(listing).flatMap(({ type, url, webpageUrl }) => {
    const found = type.startsWith("url") ? url : webpageUrl === listing.webpageUrl ? null : webpageUrl;
    return found === null ? [] : [found.replace(NOTES, "")];
  });

/** The guard denies the host of the listing itself, or one that it leads to. */
const explained = (proxy: EgressProxy, url: string, failure: Failed) =>
  Effect.flatMap(proxy.denials, (denials) => {
    const { hostname, port, protocol } = new URL(url);
    const host = hostname.replace(/^\[|\]$/gu, "");
    const ownPort = Number(port === "" ? (protocol === "https:" ? 443 : 80) : port);
    return denials.some((denial) => denial.host === host && denial.port === ownPort)
      ? Effect.succeed(failed("host_not_public"))
      : explainedBy(proxy, failure);
  });

export const listSource = Effect.fn("Listing.list")(function* (
  services: InspectorServices,
  { url, first }: ListRequest
) {
  const { limits, ytDlp } = services;
  const { folder, place, proxy } = yield* openPlace(services);
  yield* ytDlp.ready;
  const inTurn = startInTurn(proxy.nextConnection);
  const listed = inTurn(ytDlp.inspect(url, `1:${first}`, place, { onlyLists: true })).pipe(
    Effect.mapError(processFailure),
    Effect.flatMap((answer) => {
      const verdict = answer.ok ? null : classify(answer);
      if (verdict !== null) return Effect.fail(verdict === "no_media" ? noListing : failureOf(verdict));
      const info = answer.ok ? readInfo(answer.info) : null;
      return info?.type !== "playlist" || isPost(info)
        ? Effect.fail(noListing)
        : Effect.succeed(urlsOf(info).slice(0, first));
    })
  );
  const maxBytes = folderMaxBytes(limits, limits.inspectBudgetBytes);
  return yield* withinFolder(listed, folder, { maxBytes, failure: () => failed("too_large") }).pipe(
    Effect.catch((failure) => Effect.flatMap(explained(proxy, url, failure), Effect.fail))
  );
}, Effect.scoped);
