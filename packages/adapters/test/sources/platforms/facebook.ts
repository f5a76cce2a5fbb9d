/** A replica of Facebook's watch pages as sent to programs, with their data embedded as JSON. */
import type { Media } from "./openPlatforms.ts";
import { html, type Platform, type Told } from "./Replica.ts";

const drawnFrom = (video: object): string =>
  JSON.stringify({
    require: [
      ["RelayPrefetchedStreamCache", "next", [], ["adp_1", { __bbox: { result: { data: { video } } } }]]
    ]
  });

const video = (id: string): Told =>
  html(
    `<!doctype html><html><head><title>How sieves are made | Facebook</title><meta property="og:title" content="How sieves are made"><meta property="og:description" content="A generated talk."></head><body><script type="application/json" data-sjs>${drawnFrom(
      {
        id,
        name: "How sieves are made",
        owner: { id: "7", name: "Ada Fixture" },
        playable_url: `https://video.xx.fbcdn.net/${id}.mp4`,
        playable_duration_in_ms: 10_000,
        publish_time: 1_741_082_400,
        video_available_captions_locales: [
          {
            locale: "en_US",
            localized_language: "English",
            captions_url: `https://video.xx.fbcdn.net/${id}.srt`
          }
        ]
      }
    )}</script></body></html>`
  );

const said = (words: string): Told =>
  html(`<html><body><div class="x uiInterstitialContent y"><div>${words}</div></div></body></html>`);

const PAGES: Readonly<Record<string, Told>> = {
  "2001": html('<html><body><form id="login_form"></form></body></html>'),
  "2002": said("This video has been removed or is no longer available"),
  "2003": said("The link may have expired, or the page may only be visible to an audience you're not in."),
  "2004": html("", 404),
  "2005": html("Too many requests", 429)
};

const CAPTIONS = "1\n00:00:01,000 --> 00:00:04,000\nA sieve keeps what is large.\n";

export const facebook =
  (media: Media): Platform =>
  ({ host, url }) => {
    if (host.endsWith(".fbcdn.net")) {
      return url.pathname.endsWith(".srt")
        ? { type: "text/plain", body: CAPTIONS }
        : { type: "video/mp4", body: media.video };
    }
    if (!/(?:^|\.)facebook\.com$/u.test(host)) return null;
    const id = url.searchParams.get("v") ?? "";
    return PAGES[id] ?? (id === "1001" ? video(id) : null);
  };
