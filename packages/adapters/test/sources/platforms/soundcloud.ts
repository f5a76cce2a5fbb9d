/** A replica of SoundCloud's API for its own web player: tracks by name, and refusals. */
import type { Media } from "./openPlatforms.ts";
import { html, json, type Platform, type Situations, type Told } from "./Replica.ts";

const API = "https://api-v2.soundcloud.com";

const transcoding = (id: number) => ({
  url: `${API}/media/soundcloud:tracks:${id}/a/stream/progressive`,
  preset: "aac_160k",
  duration: 10_000,
  snipped: false,
  format: { protocol: "progressive", mime_type: 'audio/mp4; codecs="mp4a.40.2"' },
  quality: "sq"
});

const track = (id: number, more: object): Told =>
  json({
    kind: "track",
    id,
    title: "How sieves are made",
    description: "A generated talk.",
    permalink_url: `https://soundcloud.com/ada/${id}`,
    user: { id: 7, username: "Ada Fixture", permalink_url: "https://soundcloud.com/ada" },
    created_at: "2025-03-04T10:00:00Z",
    duration: 10_000,
    artwork_url: "https://i1.sndcdn.com/artworks-fixture-large.jpg",
    playback_count: 99,
    likes_count: 5,
    comment_count: 2,
    policy: "ALLOW",
    ...more
  });

const CAPTCHA = json({ url: "https://geo.captcha-delivery.com/captcha/?initialCid=fixture" }, 403);

const TRACKS: Readonly<Record<string, Told>> = {
  talk: track(1, { media: { transcodings: [transcoding(1)] } }),
  // Without its secret token, a private track is indistinguishable from one that is not there.
  private: json({}, 404),
  removed: json({}, 404),
  members: json({}, 401),
  robots: CAPTCHA,
  often: json({}, 429),
  abroad: track(2, { media: { transcodings: [] }, policy: "BLOCK" })
};

const SCRIPT = "https://a-v2.sndcdn.com/assets/0-fixture.js";

export const soundcloud =
  ({ sound, picture }: Media): Platform =>
  ({ host, url }) => {
    if (host === "i1.sndcdn.com") return { type: "image/jpeg", body: picture };
    if (url.href === SCRIPT) {
      return { type: "text/javascript", body: `var a={client_id:"${"f".repeat(32)}"};` };
    }
    if (host === "cf-media.sndcdn.com") return { type: "audio/mp4", body: sound };
    if (url.href.startsWith(`${API}/media/`)) return json({ url: "https://cf-media.sndcdn.com/a.m4a" });
    if (url.href.startsWith(`${API}/resolve`)) {
      return TRACKS[url.searchParams.get("url")?.split("/").at(-1) ?? ""] ?? null;
    }
    if (host !== "soundcloud.com" || !/^\/(?:ada\/\w+)?$/u.test(url.pathname)) return null;
    return html(
      `<!doctype html><html><head><title>SoundCloud</title></head><body><script crossorigin src="${SCRIPT}"></script></body></html>`
    );
  };

const address = (name: string): string => `https://soundcloud.com/ada/${name}`;

export const soundcloudSituations: Situations = {
  public: address("talk"),
  private: address("private"),
  removed: address("removed"),
  login: address("members"),
  "bot check": address("robots"),
  "rate limit": address("often"),
  geo: address("abroad"),
  age: null
};
