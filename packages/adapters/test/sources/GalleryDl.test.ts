// @module-tag long
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Egress } from "@winnow/isolation/network/Egress";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { hasGallery, makeGalleryDl, readGallery } from "../../src/sources/gallery-dl/GalleryDl.ts";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";
import { programFiles } from "@winnow/isolation/sandbox/programFiles";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { openRunFolder, openSite, temporaryFolder } from "./harness.ts";

const site = await openSite();
const folder = temporaryFolder();

const report = await examineSandbox();
const SKIPPED = report.works ? "" : ` (skipped: ${report.problem})`;

const read = (url: string, confined = false) =>
  Effect.gen(function* () {
    const programs = yield* locatePrograms({});
    const egress = yield* Egress;
    const proxy = yield* egress.openProxy({ budgetBytes: 2 ** 24 });
    const galleryDl = makeGalleryDl(programs.galleryDl ?? assert.fail("gallery-dl is missing"), {
      programs,
      limits: DEFAULT_LIMITS,
      confinement:
        confined && report.works
          ? {
              sandbox: report.sandbox,
              proxySocket: yield* egress.proxySocket,
              readable: programFiles(programs.galleryDl ?? "")
            }
          : null
    });
    const post = yield* galleryDl.read(url, {
      folder: yield* openRunFolder(folder),
      proxyUrl: proxy.url,
      cookies: null
    });
    return { post, denials: yield* proxy.denials };
  }).pipe(Effect.scoped, Effect.provide(GuardedEgress.layer({ allow: [new URL(site.url).host] })));

describe("GalleryDl", () => {
  it("is used only for hosts it supports", () => {
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

  it.live.each([
    ["", false],
    [` in the sandbox${SKIPPED}`, report.works]
  ] as const)("the real program names the images of a link%s", ([_where, confined]) =>
    Effect.gen(function* () {
      const { post } = yield* read(`${site.url}/media/slide1.jpg`, confined);
      assert.deepStrictEqual(post._tag === "Post" && post.post.images, [`${site.url}/media/slide1.jpg`]);
    })
  );

  it.live.each([
    ["", false],
    [` in the sandbox${SKIPPED}`, report.works]
  ] as const)(
    "the real program cannot leave the guard, and what it cannot read is not a post%s",
    ([_where, confined]) =>
      Effect.gen(function* () {
        // gallery-dl's generic mode, which Winnow never uses, always connects to port 80.
        const { denials, post } = yield* read(`generic:${site.url}/carousel`, confined);
        assert.notStrictEqual(post._tag, "Post");
        assert.deepInclude(denials[0], { host: "127.0.0.1", port: 80 });
      })
  );

  const told = (...messages: ReadonlyArray<unknown>) => readGallery(JSON.stringify(messages));
  const picture = [3, "https://pictures.example/1.jpg", { extension: "jpg" }];

  it("accepts only what an extractor calls a post, and only a single one", () => {
    const post = [2, { category: "bluesky", subcategory: "post", text: "Hello" }];
    assert.strictEqual(told(post, picture)._tag, "Post");
    for (const subcategory of ["user", "media", "likes", "board", "album", "search", "gallery"]) {
      assert.strictEqual(told([2, { category: "bluesky", subcategory }], picture)._tag, "Listing");
    }
    assert.strictEqual(told(post, picture, post, picture)._tag, "Listing");
    assert.strictEqual(told([2, { category: "imgur", subcategory: "album" }], picture)._tag, "Post");
  });

  it("classifies error entries of every version", () => {
    const verdict = (...messages: ReadonlyArray<unknown>) => {
      const answer = told(...messages);
      return answer._tag === "Refused" ? answer.verdict : answer._tag;
    };
    const page = "https://www.example.com/1";
    assert.strictEqual(verdict(["HttpError", `'404 Not Found' for '${page}'`]), "removed");
    assert.strictEqual(
      verdict([-1, { error: "HttpError", message: `'429 Too Many Requests' for '${page}'` }]),
      "rate_limited"
    );
    assert.strictEqual(
      verdict([-1, { error: "AuthRequired", message: "'authenticated cookies' needed" }]),
      "login_required"
    );
    assert.strictEqual(verdict([-1, { error: "ChallengeError", message: "Cloudflare" }]), "bot_blocked");
    assert.strictEqual(verdict([-1, { error: "NotFoundError", message: "Requested post" }]), "removed");
    assert.strictEqual(verdict(), "Nothing");
  });

  it("prefers the message to the exception for refused access", () => {
    const verdict = (error: string, message: string) => {
      const answer = told([-1, { error, message }]);
      return answer._tag === "Refused" ? answer.verdict : answer._tag;
    };
    assert.strictEqual(verdict("AuthorizationError", "Rate limit exceeded (0/50)"), "rate_limited");
    assert.strictEqual(verdict("AuthorizationError", "Mature content blocked in settings"), "age_restricted");
    assert.strictEqual(verdict("AuthorizationError", "Password required"), "login_required");
    assert.strictEqual(verdict("AuthenticationError", "login rejected as suspicious"), "bot_blocked");
    assert.strictEqual(verdict("AuthorizationError", "Insufficient privileges"), "private");
    assert.strictEqual(verdict("AuthRequired", "'x' needed to access this post"), "login_required");
  });
});
