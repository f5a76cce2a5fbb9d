/** Of a format, what a stretch of a video needs: the segments, by their times. Tests: stretches.test.ts. */
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { TimeRange } from "@winnow/core/domain/source/TimeRange";
import * as Effect from "effect/Effect";
import { isHls, readFormatPlaylist, type StreamServices } from "../inspect/StreamInspection.ts";
import { cutFragments } from "../manifests/dash.ts";
import { cutHls } from "../manifests/hls.ts";
import type { Format } from "../yt-dlp/InfoDict.ts";

export interface CutFormat {
  readonly format: Format;
  /** Where what yt-dlp downloads of it begins in the source. */
  readonly startSeconds: number;
  /** If its own clock says that it begins this close to it, that is right. */
  readonly errorSeconds: number;
}

const withSegments = (
  { raw, ...format }: Format,
  more: object,
  { startSeconds, errorSeconds }: Omit<CutFormat, "format">
): CutFormat => ({ format: { ...format, raw: { ...raw, ...more } }, startSeconds, errorSeconds });

/** Null if it has no segments, or nobody tells their times. Fails for media that must not be downloaded. */
export const cutFormat = Effect.fnUntraced(function* (
  format: Format,
  range: TimeRange,
  services: StreamServices
): Effect.fn.Return<CutFormat | null, Failed> {
  if (!isHls(format)) {
    const cut = cutFragments(format.raw["fragments"], range);
    return cut && withSegments(format, { fragments: cut.fragments }, cut);
  }
  const found = yield* readFormatPlaylist(format, services);
  const cut = found === null || found.playlist.master ? null : cutHls(found.text, range);
  return found === null || cut === null
    ? null
    : withSegments(
        format,
        { url: found.url, hls_media_playlist_data: cut.text },
        { ...cut, errorSeconds: 0 }
      );
});
