/** A replica of TikTok's pages with their data in a script: videos and photo posts by number, and refusals. */
import { html, type Platform } from "./Replica.ts";

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

const PAGES: Readonly<Record<string, string>> = {
  "7000000000000000001": page(0, item("7000000000000000001", VIDEO)),
  "7000000000000000002": page(10204),
  "7000000000000000003": page(10216)
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
    const id = /(?:video|photo)\/(\d+)/u.exec(url.pathname)?.[1] ?? "";
    return html(PAGES[id] ?? page(10204));
  };
