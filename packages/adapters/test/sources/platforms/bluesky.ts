/** A replica of Bluesky's public API and a member's data server: posts by name. */
import { html, json, type Platform } from "./Replica.ts";

const DID = "did:plc:fixtureada234567";

const AUTHOR = {
  did: DID,
  handle: "ada.bsky.social",
  displayName: "Ada Fixture",
  avatar: "",
  labels: [],
  createdAt: "2024-01-01T00:00:00.000Z"
};

/** A profile without posts, whose page has text. */
const EMPTY = "did:plc:fixtureempty2345";

const PROFILE = "Writes about sieves, colanders and everything else that has holes. ".repeat(20);

const SIZE = { width: 640, height: 360 };

const imageOf = (name: string) => ({
  alt: "",
  aspectRatio: SIZE,
  image: { $type: "blob", ref: { $link: `img${name}` }, mimeType: "image/jpeg", size: 10_000 }
});

const photos = (...names: ReadonlyArray<string>) => ({
  record: { $type: "app.bsky.embed.images", images: names.map(imageOf) },
  view: {
    $type: "app.bsky.embed.images#view",
    images: names.map((name) => ({
      thumb: `https://cdn.bsky.app/img/t/img${name}.jpg`,
      fullsize: `https://cdn.bsky.app/img/f/img${name}.jpg`,
      alt: ""
    }))
  }
});

const video = (name: string) => ({
  record: {
    $type: "app.bsky.embed.video",
    video: { $type: "blob", ref: { $link: `vid${name}` }, mimeType: "video/mp4", size: 10_000 },
    aspectRatio: SIZE
  },
  view: {
    $type: "app.bsky.embed.video#view",
    cid: `vid${name}`,
    playlist: `https://video.bsky.app/watch/${name}/playlist.m3u8`,
    thumbnail: `https://video.bsky.app/watch/${name}/thumbnail.jpg`,
    aspectRatio: SIZE
  }
});

const post = (name: string, text: string, embed: { readonly record: object; readonly view: object }) => ({
  uri: `at://${DID}/app.bsky.feed.post/${name}`,
  cid: `cid${name}`,
  author: AUTHOR,
  record: {
    $type: "app.bsky.feed.post",
    createdAt: "2025-03-04T10:00:00.000Z",
    text,
    langs: ["en"],
    embed: embed.record
  },
  embed: embed.view,
  replyCount: 0,
  repostCount: 1,
  likeCount: 5,
  quoteCount: 0,
  indexedAt: "2025-03-04T10:00:01.000Z",
  labels: []
});

const POSTS: Readonly<Record<string, ReturnType<typeof post>>> = {
  aaa: post("aaa", "A video of a sieve", video("1")),
  bbb: post("bbb", "Two photos", photos("1", "2")),
  ccc: post("ccc", "A third photo", photos("3"))
};

const thread = (name: string) => {
  const found = POSTS[name];
  return found === undefined
    ? json({ error: "NotFound", message: "Post not found" }, 400)
    : json({ thread: { $type: "app.bsky.feed.defs#threadViewPost", post: found, replies: [] } });
};

export const bluesky =
  (media: { readonly video: Uint8Array; readonly picture: Uint8Array }): Platform =>
  ({ host, url }) => {
    const picture = { type: "image/jpeg", body: media.picture };
    if (host === "cdn.bsky.app") return picture;
    if (host === "video.bsky.app") return url.pathname.endsWith(".jpg") ? picture : html("", 404);
    if (host === "plc.directory") {
      const serviceEndpoint = "https://pds.example.com";
      return json({
        id: DID,
        service: [{ id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint }]
      });
    }
    if (!/(?:^|\.)bsky\.(?:app|social)$|^pds\.example\.com$/u.test(host)) return null;
    switch (url.pathname.split("/").at(-1)) {
      case "app.bsky.feed.getPostThread":
        return thread(url.searchParams.get("uri")?.split("/").at(-1) ?? "");
      case "app.bsky.feed.getAuthorFeed":
        return json({
          feed:
            url.searchParams.get("actor") === EMPTY
              ? []
              : Object.values(POSTS).map((each) => ({ post: each }))
        });
      case "com.atproto.identity.resolveHandle":
        return json({ did: url.searchParams.get("handle") === "empty.bsky.social" ? EMPTY : DID });
      case "app.bsky.actor.getProfile":
        return json(AUTHOR);
      case "com.atproto.sync.getBlob":
        return url.searchParams.get("cid")?.startsWith("vid") === true
          ? { type: "video/mp4", body: media.video }
          : picture;
      case "empty.bsky.social":
        return html(
          `<!doctype html><html><head><title>Empty</title></head><body><main><article><h1>Empty</h1><p>${PROFILE}</p></article></main></body></html>`
        );
      default:
        return url.pathname.startsWith("/profile/")
          ? html(
              "<!doctype html><html><head><title>Bluesky</title></head><body><div id=root></div></body></html>"
            )
          : null;
    }
  };
