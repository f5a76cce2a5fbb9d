import { assert, describe, it } from "@effect/vitest";
import { classify, classifyStatus, failureOf } from "../../src/download/classify.ts";
import { readCliFailure } from "../../src/download/YtDlpCli.ts";

const said = (message: string, more: object = {}) =>
  classify({ type: "ExtractorError", status: null, expected: true, extractor: "X", message, ...more });

/** As extractors of yt-dlp write them. */
const MESSAGES: ReadonlyArray<readonly [message: string, verdict: string]> = [
  ["Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies", "bot_blocked"],
  ["Got HTTP Error 403 caused by Cloudflare anti-bot challenge", "bot_blocked"],
  ["The request has been blocked by server, please try again later", "bot_blocked"],
  ["You've exceeded the rate limit, please try again later", "rate_limited"],
  ["Private video. Sign in if you've been granted access to this video", "private"],
  ["You do not have permission to view this post. Log into an account", "private"],
  ["Sign in to confirm your age. This video may be inappropriate for some users.", "age_restricted"],
  ["This video is only available for registered users", "login_required"],
  ["Join this channel to get access to members-only content", "login_required"],
  ["This video requires payment to watch. It is a paid video", "login_required"],
  ["The uploader has not made this video available in your country", "geo_restricted"],
  ["This video is DRM protected", "drm"],
  ["Premieres in 3 hours", "live"],
  ["This live event will begin in 2 days.", "live"],
  ["The channel is not currently live", "live"],
  ["Video unavailable. This video has been removed by the uploader", "removed"],
  ["The YouTube account associated with this video has been terminated", "removed"],
  ["There is no video in this post", "no_media"],
  ["Requested format is not available. Use --list-formats", "no_media"],
  ["file:// URLs are disabled by default in yt-dlp for security reasons", "blocked_address"],
  ["unable to write data: [Errno 27] File too large", "too_large"],
  ["The read operation timed out", "unreachable"]
];

describe("classify", () => {
  for (const [message, verdict] of MESSAGES) {
    it(`"${message.slice(0, 60)}" is ${verdict}`, () => assert.strictEqual(said(message), verdict));
  }

  it("advice about cookies is not taken for a request to sign in", () => {
    assert.strictEqual(said("Video not found. Use --cookies for the authentication"), "removed");
  });

  it("a status counts before the words around it", () => {
    assert.strictEqual(
      said("Unable to download webpage: HTTP Error 404: Not Found", { status: 404 }),
      "removed"
    );
    assert.strictEqual(said("Private: HTTP Error 503", { status: 503 }), "source_fault");
    assert.strictEqual(classifyStatus(200), null);
  });

  it("a broken extractor is a fault of ours", () => {
    assert.strictEqual(said("Unable to extract player version", { expected: false }), "fault");
    assert.strictEqual(failureOf("fault").reason, "internal");
  });

  it("what is out of reach is no fault of the extractor, though it says so", () => {
    for (const message of [
      "Failed to extract any player response; please report this issue on https://x",
      "Unable to download webpage: ('Unable to connect to proxy', OSError('Tunnel connection failed: 502'))"
    ]) {
      assert.strictEqual(said(message, { expected: false }), "unreachable");
    }
    assert.strictEqual(failureOf("unreachable").reason, "timeout");
    assert.strictEqual(failureOf("source_fault").reason, "timeout");
    assert.notStrictEqual(failureOf("source_fault").message, failureOf("unreachable").message);
  });

  it("a child that ran out of memory met too much", () => {
    assert.strictEqual(said("", { type: "MemoryError" }), "too_large");
  });

  it("the command's last line says the same as the exception", () => {
    const stderr = "WARNING: x\nERROR: [Fixture] abc: Private video. Sign in\n";
    assert.deepInclude(readCliFailure(stderr, 1), {
      ok: false,
      extractor: "Fixture",
      message: "Private video. Sign in"
    });
    assert.deepInclude(readCliFailure("ERROR: [generic] Unable: HTTP Error 410: Gone", 1), { status: 410 });
    assert.deepInclude(readCliFailure("Traceback (most recent call last)", 1), { expected: false });
  });
});
