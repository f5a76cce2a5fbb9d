/** A replica of Instagram's API for yt-dlp and gallery-dl: posts by name, and refusals. */
import type { Media } from "./openPlatforms.ts";
import { html, json, type Platform, type Situations, type Told } from "./Replica.ts";

const OWNER = { id: "7", pk: "7", username: "ada", full_name: "Ada Fixture" };

const SIZE = { width: 320, height: 180 };

const picture = (name: string): string => `https://scontent.cdninstagram.com/${name}.jpg`;

const clip = (name: string): string => `https://scontent.cdninstagram.com/${name}.mp4`;

const node = (shortcode: string, more: object) => ({
  __typename: "XDTGraphVideo",
  id: "1",
  shortcode,
  owner: OWNER,
  dimensions: SIZE,
  display_url: picture("cover"),
  taken_at_timestamp: 1_741_082_400,
  edge_media_to_caption: { edges: [{ node: { text: "How sieves are made" } }] },
  edge_media_preview_like: { count: 5 },
  ...more
});

const film = { is_video: true, video_url: clip("film"), video_duration: 10, video_view_count: 99 };

const photo = (name: string) => ({
  __typename: "XDTGraphImage",
  is_video: false,
  display_url: picture(name)
});

const sidecar = (...nodes: ReadonlyArray<object>) => ({
  __typename: "XDTGraphSidecar",
  is_video: false,
  edge_sidecar_to_children: { edges: nodes.map((each) => ({ node: each })) }
});

/** The response to yt-dlp. */
const NODES: Readonly<Record<string, object>> = {
  reelAAAAAAA: node("reelAAAAAAA", film),
  mixAAAAAAAA: node(
    "mixAAAAAAAA",
    sidecar(photo("one"), node("filmAAAAAAA", { ...film, __typename: "GraphVideo" }), photo("two"))
  ),
  photosAAAAA: node("photosAAAAA", sidecar(photo("one"), photo("two")))
};

const item = (name: string) => ({
  pk: "11",
  id: "11_7",
  image_versions2: { candidates: [{ url: picture(name), ...SIZE }] }
});

const moving = (name: string) => ({
  ...item("cover"),
  video_duration: 10,
  video_versions: [{ url: clip(name), type: 101, ...SIZE }]
});

const product = (code: string, more: object) => ({
  pk: "1",
  id: "1_7",
  code,
  user: OWNER,
  taken_at: 1_741_082_400,
  like_count: 5,
  caption: { text: "How sieves are made" },
  ...more
});

/** The response to gallery-dl, by the number encoded in a post's name, and the data of newer pages. */
const ITEMS: Readonly<Record<string, object>> = {
  reelAAAAAAA: product("reelAAAAAAA", moving("film")),
  mixAAAAAAAA: product("mixAAAAAAAA", { carousel_media: [item("one"), moving("film"), item("two")] }),
  lockedAAAAA: product("lockedAAAAA", { carousel_media: [item("one"), moving("film"), item("two")] }),
  photosAAAAA: product("photosAAAAA", { carousel_media: [item("one"), item("two")] })
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const numberOf = (name: string): string =>
  String([...name].reduce((sum, letter) => sum * 64n + BigInt(LETTERS.indexOf(letter)), 0n));

const RULINGS: Readonly<Record<string, Told>> = {
  adultsAAAAA: json({
    status: "fail",
    title: "Restricted Video",
    description: "You must be 18 years old or over to see this video"
  }),
  loginAAAAAA: json({
    status: "fail",
    title: "Log in to continue",
    description: "You need to log in to see this post"
  }),
  abroadAAAAA: json({
    status: "fail",
    title: "Post unavailable",
    description: "This post isn't available in your country due to a legal request"
  })
};

/** What newer extractors ask for, and find in the page if they do not get it. */
const polaris = (found: object | null) => ({ xig_polaris_media: { if_not_gated_logged_out: found } });

const pageOf = (found: object | null): Told => {
  const data = polaris(found);
  const cache = ["RelayPrefetchedStreamCache", "next", [], ["adp_1", { __bbox: { result: { data } } }]];
  const embedded =
    found === null ? "" : `window.__additionalDataLoaded('extra', ${JSON.stringify({ items: [found] })});`;
  const script = JSON.stringify({
    require: [["ScheduledServerJS", "handle", null, [{ __bbox: { require: [cache] } }]]]
  });
  return html(
    `<!doctype html><html><head><title>Instagram</title></head><body><script type="application/json" data-sjs>${script}</script><script>["LSD",[],{"token":"t"}]</script><script>${embedded}</script></body></html>`
  );
};

const OFTEN = json({ message: "Please wait a few minutes before you try again." }, 429);

export const instagram =
  (media: Media): Platform =>
  ({ body, host, url }) => {
    if (host.endsWith(".cdninstagram.com")) {
      return url.pathname.endsWith(".mp4")
        ? { type: "video/mp4", body: media.video }
        : { type: "image/jpeg", body: media.picture };
    }
    if (!/(?:^|\.)instagram\.com$/u.test(host)) return null;
    const asked = decodeURIComponent(`${url.href} ${body}`);
    const name =
      [...Object.keys(ITEMS), ...Object.keys(RULINGS), "oftenAAAAAA", "wallAAAAAAA", "goneAAAAAAA"].find(
        (each) => asked.includes(each) || asked.includes(numberOf(each))
      ) ?? "";
    if (name === "oftenAAAAAA") return OFTEN;
    if (url.pathname.includes("/get_ruling_for_content")) return RULINGS[name] ?? json({ status: "ok" });
    if (url.pathname.startsWith("/graphql/query")) {
      return name === "wallAAAAAAA" || name === "lockedAAAAA"
        ? json({ message: "login_required" }, 401)
        : json({ data: { xdt_shortcode_media: NODES[name] ?? null } });
    }
    if (/\/media\/\d+\/info/u.test(url.pathname)) {
      const found = ITEMS[name];
      return found === undefined ? json({ status: "fail" }, 404) : json({ items: [found], status: "ok" });
    }
    if (url.pathname === "/api/graphql") return json({ data: polaris(ITEMS[name] ?? null) });
    if (name === "goneAAAAAAA") return html("<!doctype html><title>Page Not Found • Instagram</title>", 404);
    return /^\/(?:(?:p|reel)\/|$)/u.test(url.pathname) ? pageOf(ITEMS[name] ?? null) : null;
  };

const address = (name: string): string => `https://www.instagram.com/p/${name}/`;

export const instagramSituations: Situations = {
  public: address("reelAAAAAAA"),
  private: address(`hidden${"A".repeat(33)}`),
  removed: address("goneAAAAAAA"),
  login: address("loginAAAAAA"),
  "bot check": address("emptyAAAAAA"),
  "rate limit": address("oftenAAAAAA"),
  geo: address("abroadAAAAA"),
  age: address("adultsAAAAA")
};
