/** A replica of TikTok's pages with their data in a script: videos and photo posts by number, and refusals. */
import { html, type Platform, redirect, type Situations, type Told } from "./Replica.ts";

const page = (statusCode: number, item?: object): string => {
  const detail = { statusCode, ...(item === undefined ? {} : { itemInfo: { itemStruct: item } }) };
  const data = JSON.stringify({ __DEFAULT_SCOPE__: { "webapp.video-detail": detail } });
  return `<!doctype html><html><head><title>TikTok</title></head><body><div id="app"></div><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${data}</script></body></html>`;
};

const item = (id: string, more: object) => ({
  id,
  desc: "Sieving, part one #sieve",
  createTime: "1741082400",
  author: { id: "9", uniqueId: "ada", nickname: "Ada Fixture", secUid: "S" },
  music: { id: "1", title: "original sound", authorName: "Ada" },
  stats: { diggCount: 5, shareCount: 1, commentCount: 2, playCount: 99 },
  ...more
});

const FILE = "https://v16.tiktokcdn.com/p.mp4";

const VIDEO = {
  video: {
    id: "7",
    height: 360,
    width: 640,
    duration: 10,
    ratio: "360p",
    cover: "https://v16.tiktokcdn.com/c.jpg",
    playAddr: FILE,
    downloadAddr: FILE,
    format: "mp4",
    codecType: "h264"
  }
};

/** Ids have 19 digits. */
const idOf = (last: number): string => `700000000000000000${last}`;

const VERIFY = `<!doctype html><html><head><title>tiktok-verify-page</title></head><body>Verify to continue</body></html>`;

const PAGES: Readonly<Record<string, Told>> = {
  [idOf(1)]: html(page(0, item(idOf(1), VIDEO))),
  // Sent for videos that do not exist, and to addresses that TikTok blocks.
  [idOf(2)]: html(page(10_204)),
  [idOf(3)]: html(page(10_216)),
  [idOf(4)]: redirect("https://www.tiktok.com/login?redirect_url=x"),
  [idOf(5)]: html(VERIFY),
  [idOf(6)]: html("", 429),
  [idOf(7)]: html(page(10_231)),
  [idOf(8)]: html(page(0, item(idOf(8), { isContentClassified: true })))
};

export const tiktok =
  ({ video, picture }: { readonly video: Uint8Array; readonly picture: Uint8Array }): Platform =>
  ({ host, url }) => {
    if (host.endsWith("tiktokcdn.com")) {
      return url.pathname.endsWith(".mp4")
        ? { type: "video/mp4", body: video }
        : { type: "image/jpeg", body: picture };
    }
    if (!/(?:^|\.)tiktok\.com$/u.test(host)) return null;
    if (url.pathname === "/login") return html("<!doctype html><title>Log in | TikTok</title>");
    return PAGES[/(?:video|photo)\/(\d+)/u.exec(url.pathname)?.[1] ?? ""] ?? null;
  };

const address = (last: number): string => `https://www.tiktok.com/@ada/video/${idOf(last)}`;

export const tiktokSituations: Situations = {
  public: address(1),
  private: address(3),
  removed: address(2),
  login: address(4),
  "bot check": address(5),
  "rate limit": address(6),
  geo: address(7),
  age: address(8)
};
