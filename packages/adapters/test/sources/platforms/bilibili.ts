/** A replica of Bilibili's pages and API, which refuses captions and comments temporarily or permanently. */
import type { Media } from "./openPlatforms.ts";
import { html, json, type Platform, type Situations, type Told } from "./Replica.ts";

interface Refusals {
  /** How often the part is refused before it is returned. */
  readonly captions?: number;
  readonly comments?: number;
  readonly status: number;
}

const ALWAYS = 99;

/** By the last letter of the video's id. */
const REFUSALS: Readonly<Record<string, Refusals>> = {
  a: { status: 200 },
  b: { captions: 1, status: 429 },
  c: { captions: ALWAYS, status: 429 },
  d: { captions: ALWAYS, status: 403 },
  e: { captions: ALWAYS, status: 503 },
  f: { comments: ALWAYS, status: 412 },
  g: { comments: 1, status: 503 },
  h: { captions: ALWAYS, status: 404 }
};

const CID = 77;

const page = (id: string, index: number) =>
  html(
    `<html><head><title>t</title></head><body><script>window.__INITIAL_STATE__ = ${JSON.stringify({
      videoData: {
        bvid: id,
        aid: index,
        cid: CID,
        title: "How sieves are made",
        desc: "A generated talk.",
        pubdate: 1_741_082_400,
        pages: [{ cid: CID }],
        stat: { view: 99, like: 5, reply: 2 },
        pic: "https://i0.hdslb.com/p.jpg"
      },
      upData: { name: "Ada Fixture", mid: "1" }
    })};</script></body></html>`
  );

const state = (value: object): Told =>
  html(`<html><body><script>window.__INITIAL_STATE__ = ${JSON.stringify(value)};</script></body></html>`);

const failedPage = (trueCode: number, message: string): Told =>
  state({ error: { code: 404, trueCode, message }, videoData: {} });

/** Pages without a video, by the last letter of its id. */
const PAGES: Readonly<Record<string, Told>> = {
  p: failedPage(62_012, "仅UP主自己可见"),
  r: failedPage(-404, "啥都木有"),
  l: failedPage(-403, "访问权限不足"),
  t: html('<html><body><script>window._riskdata_ = {"v_voucher": "voucher_fixture"};</script></body></html>'),
  m: html("由于触发哔哩哔哩安全风控策略，该次访问请求被拒绝。", 412)
};

const EPISODE_ABROAD = html("<html><body>您所在的地区无法观看本片</body></html>");

const stream = (file: string, more: object) => ({
  id: 30_216,
  baseUrl: `https://upos.bilivideo.com/${file}`,
  bandwidth: 64_000,
  mimeType: file.startsWith("silent") ? "video/mp4" : "audio/mp4",
  ...more
});

const STREAMS = json({
  code: 0,
  data: {
    timelength: 10_000,
    dash: {
      video: [
        stream("silent.mp4", { id: 16, codecs: "avc1.42C00C", width: 320, height: 180, bandwidth: 8e5 })
      ],
      audio: [stream("sound.mp4", { codecs: "mp4a.40.2" })]
    }
  }
});

const COMMENT = {
  rpid: 1,
  member: { uname: "Bob" },
  content: { message: "Fine mesh." },
  ctime: 1_741_082_500
};

const CAPTIONS = {
  data: { subtitle: { subtitles: [{ lan: "en", subtitle_url: "https://aisubtitle.hdslb.com/en.json" }] } }
};

const WORDS = { body: [{ from: 1, to: 4, content: "A sieve keeps what is large." }] };

export const bilibili = (media: Media): Platform => {
  const asked = new Map<string, number>();
  const refused = (id: string, part: "captions" | "comments"): Told | null => {
    const { status, [part]: times = 0 } = REFUSALS[id] ?? { status: 404 };
    const before = asked.get(id + part) ?? 0;
    asked.set(id + part, before + 1);
    return before < times ? json({ code: -status }, status) : null;
  };
  return ({ host, url }) => {
    if (host === "i0.hdslb.com") return { type: "image/jpeg", body: media.picture };
    if (host === "aisubtitle.hdslb.com") return json(WORDS);
    if (host === "upos.bilivideo.com") {
      return { type: "video/mp4", body: url.pathname.startsWith("/silent") ? media.silent : media.sound };
    }
    if (!/(?:^|\.)bilibili\.com$/u.test(host)) return null;
    const number = Number(url.searchParams.get("oid") ?? url.searchParams.get("aid") ?? 0);
    const name = /BV\w+/u.exec(url.href)?.[0] ?? "";
    const id = name.at(-1) ?? String.fromCodePoint(96 + number);
    switch (url.pathname) {
      case "/x/player/pagelist":
        return json({ data: [{ page: 1, part: "one" }] });
      case "/x/web-interface/nav":
        return json({
          data: {
            wbi_img: {
              img_url: "https://a/7cd084941338484aae1ad9425b84077c.png",
              sub_url: "https://a/4932caff0ff746eab6f01bf08b70ac45.png"
            }
          }
        });
      case "/x/player/wbi/playurl":
        return STREAMS;
      case "/x/player/wbi/v2":
        // The same URL returns chapters; they are requested by number, without the video's id.
        return name === "" ? json({ data: {} }) : (refused(id, "captions") ?? json(CAPTIONS));
      case "/x/v2/reply":
        if (url.searchParams.get("pn") !== "1") return json({ data: { replies: [] } });
        return refused(id, "comments") ?? json({ data: { replies: [COMMENT] } });
      case "/bangumi/play/ep1001":
        return EPISODE_ABROAD;
      default:
        return PAGES[id] ?? (REFUSALS[id] === undefined ? null : page(name, id.charCodeAt(0) - 96));
    }
  };
};

const address = (letter: string): string => `https://www.bilibili.com/video/BV1GJ411x7h${letter}`;

export const bilibiliSituations: Situations = {
  public: address("a"),
  private: address("p"),
  removed: address("r"),
  login: address("l"),
  "bot check": address("m"),
  "rate limit": address("t"),
  geo: "https://www.bilibili.com/bangumi/play/ep1001",
  age: null
};
