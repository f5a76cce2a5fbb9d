import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Egress } from "../../src/egress/Egress.ts";
import { DEFAULT_LIMITS } from "../../src/download/DownloadLimits.ts";
import { hasGallery, makeGalleryDl } from "../../src/download/GalleryDl.ts";
import { locateTools } from "../../src/download/Tools.ts";
import { openSite, temporaryFolder } from "./harness.ts";

const site = await openSite();
const folder = temporaryFolder();

const read = (url: string) =>
  Effect.gen(function* () {
    const tools = yield* locateTools({});
    const egress = yield* Egress;
    const proxy = yield* egress.openProxy({ budgetBytes: 2 ** 24 });
    const galleryDl = makeGalleryDl(tools.galleryDl ?? assert.fail("gallery-dl is missing"), {
      tools,
      limits: DEFAULT_LIMITS,
      cookiesFile: null
    });
    const post = yield* galleryDl.read(url, { folder, proxyUrl: proxy.url });
    return { post, denials: yield* proxy.denials };
  }).pipe(Effect.scoped, Effect.provide(Egress.layer({ allow: [new URL(site.url).host] })));

describe("GalleryDl", () => {
  it("only hosts that it knows are given to it", () => {
    for (const url of [
      "https://www.tiktok.com/@a/photo/1",
      "https://x.com/a/status/1",
      "https://i.imgur.com/a"
    ]) {
      assert.isTrue(hasGallery(url), url);
    }
    for (const url of ["https://example.org/", "https://nottiktok.com/", "https://x.com.evil.org/"]) {
      assert.isFalse(hasGallery(url), url);
    }
  });

  it.live("the real program names the images of a link", () =>
    Effect.gen(function* () {
      const { post } = yield* read(`${site.url}/media/slide1.jpg`);
      assert.deepStrictEqual(post?.images, [`${site.url}/media/slide1.jpg`]);
    })
  );

  it.live("the real program cannot leave the guard, and what it cannot read is no post", () =>
    Effect.gen(function* () {
      // Its generic mode, which Winnow never uses, asks port 80 whatever port is given.
      const { denials, post } = yield* read(`generic:${site.url}/carousel`);
      assert.isNull(post);
      assert.deepInclude(denials[0], { host: "127.0.0.1", port: 80 });
    })
  );
});
