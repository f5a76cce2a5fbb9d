/**
 * A look at the media behind a page whose extractor knows nothing but its address: is it media at all, how
 * long, is it live, does it lead out of the network. Reads manifests and headers, never whole files.
 */
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { Egress } from "../egress/Egress.ts";
import { failed } from "./classify.ts";
import type { DownloadLimits } from "./DownloadLimits.ts";
import type { Ffmpeg } from "./Ffmpeg.ts";
import { chooseFormats } from "./formats.ts";
import type { Format, Info } from "./InfoDict.ts";
import { type HlsPlaylist, readDash, readHls } from "./manifest.ts";
import { PAGE_HEADERS } from "./PageLook.ts";
import type { YtDlpPlace } from "./YtDlp.ts";

export interface StreamLook {
  /** Null where nothing says it. */
  readonly durationSeconds: number | null;
  readonly subtitles: HlsPlaylist["subtitles"];
}

export interface StreamServices {
  readonly egress: Context.Service.Shape<typeof Egress>;
  readonly ffmpeg: Ffmpeg;
  readonly limits: DownloadLimits;
}

const NOTHING: StreamLook = { durationSeconds: null, subtitles: [] };

const readText = (url: string, { egress, limits }: StreamServices) =>
  egress
    .fetch(url, {
      maxBytes: limits.manifestMaxBytes,
      timeoutMs: limits.smallFetchTimeoutMs,
      headers: PAGE_HEADERS
    })
    .pipe(
      Effect.map(({ body, status, url: finalUrl }) =>
        status < 400 ? { text: new TextDecoder().decode(body), url: finalUrl } : null
      ),
      // A manifest that cannot be read here may still be read by yt-dlp, with its headers.
      Effect.catch((error) =>
        error.reason === "blocked_address" || error.reason === "host_not_public"
          ? Effect.fail(failed("blocked_address"))
          : Effect.succeed(null)
      )
    );

/** Fails for what must not be downloaded. */
const checkedHls = Effect.fnUntraced(function* (url: string, services: StreamServices) {
  const found = yield* readText(url, services);
  const playlist = found === null ? null : readHls(found.text, found.url);
  if (playlist?.foreign === true) return yield* failed("blocked_address");
  if (playlist?.tooLong === true) return yield* failed("too_large");
  if (playlist?.live === true) return yield* failed("live");
  return playlist;
});

const lookAtHls = Effect.fnUntraced(function* (format: Format, services: StreamServices) {
  const { manifestUrl, url } = format;
  const [playlist, master] = yield* Effect.all(
    [
      checkedHls(url, services),
      manifestUrl === null || manifestUrl === url ? Effect.succeed(null) : checkedHls(manifestUrl, services)
    ],
    { concurrency: 2 }
  );
  const look: StreamLook = {
    durationSeconds: playlist?.durationSeconds ?? null,
    subtitles: master?.subtitles ?? playlist?.subtitles ?? []
  };
  return look;
});

const lookAtDash = Effect.fnUntraced(function* (format: Format, services: StreamServices) {
  const found = yield* readText(format.manifestUrl ?? format.url, services);
  const manifest = found === null ? null : readDash(found.text);
  if (manifest?.live === true) return yield* failed("live");
  return { ...NOTHING, durationSeconds: manifest?.durationSeconds ?? null };
});

/** A URL that is a file itself must be media; a page's file is believed until it is downloaded. */
const lookAtFile = Effect.fnUntraced(function* (
  format: Format,
  direct: boolean,
  services: StreamServices,
  place: YtDlpPlace
) {
  const probe = yield* services.ffmpeg.probeUrl(format.url, place).pipe(
    Effect.catchTag("ProcessFailed", () => Effect.succeed(undefined)) // unknown, not wrong
  );
  if (probe === null && direct) return yield* failed("not_extractable");
  return { ...NOTHING, durationSeconds: probe?.durationSeconds ?? null };
});

/** `knownDurationSeconds`: what the page claims; then a plain file is not probed. */
export const lookAtStream = (
  info: Info,
  knownDurationSeconds: number | null,
  services: StreamServices,
  place: YtDlpPlace
): Effect.Effect<StreamLook, DownloadFailed> => {
  const choice = chooseFormats(info.formats, ["video", "audio"]);
  const format = choice.video ?? choice.audio;
  if (format === null) return Effect.succeed(NOTHING);
  if (format.protocol.startsWith("m3u8")) return lookAtHls(format, services);
  if (format.protocol.includes("dash")) return lookAtDash(format, services);
  return knownDurationSeconds !== null
    ? Effect.succeed(NOTHING)
    : lookAtFile(format, info.direct, services, place);
};
