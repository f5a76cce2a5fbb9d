import { assert, describe, it } from "@effect/vitest";
import { readFileSync } from "node:fs";
import { FailureReason, REMEDIES } from "@winnow/core/domain/source/Failed";
import { classify, classifyStatus, failureOf, sentenceOf } from "../../src/sources/failures/classify.ts";
import { MESSAGE_ROWS, patternOf, STAGES } from "../../src/sources/failures/messages.ts";
import { reasonOf } from "../../src/sources/index.ts";
import { readCliFailure } from "../../src/sources/yt-dlp/YtDlpCli.ts";

const said = (message: string, more: object = {}) =>
  classify({ type: "ExtractorError", status: null, expected: true, extractor: "X", message, ...more });

/** Messages of yt-dlp's extractors. */
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
  ["The read operation timed out", "timeout"],
  ["<urlopen error [Errno 111] Connection refused>", "unreachable"],
  ["Failed to resolve 'gone.example' ([Errno -2] Name or service not known)", "unreachable"]
];

describe("what people read about a failure", () => {
  it("never says one thing twice: the message says what is wrong, the hint what to do", () => {
    const wordsOf = (text: string): ReadonlySet<string> =>
      new Set(text.toLowerCase().match(/[a-z]{5,}/gu) ?? []);
    for (const reason of FailureReason.literals) {
      const told = wordsOf(sentenceOf(reason));
      const both = [...wordsOf(REMEDIES[reason].hint)].filter((word) => told.has(word));
      assert.isAtMost(both.length, 1, `${sentenceOf(reason)} ${REMEDIES[reason].hint}`);
    }
  });
});

/** How yt-dlp ends messages: faults of an extractor, and refusals to visitors. */
const ENDINGS: Readonly<Record<string, string>> = {
  fault:
    "; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues?q= , filling out the template",
  login: ". Use --cookies-from-browser or --cookies for the authentication. See  https://github.com/yt-dlp",
  said: ""
};

/** Drawn at random from the extractors of yt-dlp 2026.10.26 and labelled by a person; names and times are made up. */
const LABELLED = readFileSync(new URL("./labelledMessages.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [reasons = "", kind = "", extractor = "", message = ""] = line.split("\t");
    return {
      reasons: reasons.split("|"),
      line: `ERROR: [${extractor}] a1b2c3: ${message}${ENDINGS[kind] ?? ""}`
    };
  });

describe("classify", () => {
  it("almost all messages that a person labelled get a reason that is right", () => {
    const wrong = LABELLED.filter(({ line, reasons }) => !reasons.includes(reasonOf(line)));
    assert.isAbove(LABELLED.length, 400);
    assert.isAtMost(wrong.length / LABELLED.length, 0.02, wrong.map(({ line }) => line).join("\n"));
  });

  it("each row of messages.tsv matches its example, which gets the row's reason", () => {
    for (const row of MESSAGE_ROWS) {
      const { example, extractor, reason, stage } = row;
      assert.include(STAGES, stage, example);
      assert.match(example, patternOf(row));
      const [name] = extractor.split("|");
      const more = { extractor: name === "*" ? "X" : name, expected: stage !== "unexpected" };
      assert.strictEqual(said(example, more), reason, example);
    }
    const patterns = MESSAGE_ROWS.map(({ pattern, stage }) => `${stage} ${pattern}`);
    assert.strictEqual(new Set(patterns).size, patterns.length);
  });

  it("a message with a special meaning for one extractor has it only there", () => {
    const guess = "Account authentication is required. Use --cookies-from-browser or --cookies";
    assert.strictEqual(said(guess, { extractor: "Reddit" }), "bot_blocked");
    assert.strictEqual(said(guess), "login_required");
    const lost = { expected: false, extractor: "facebook" };
    assert.strictEqual(said("Cannot parse data", lost), "login_required");
    assert.strictEqual(said("Cannot parse data", { expected: false }), "fault");
    assert.strictEqual(said("No video formats found!", { extractor: "youtube" }), "bot_blocked");
    assert.strictEqual(said("No video formats found!"), "no_media");
  });

  it("bot checks are recognised in many wordings", () => {
    for (const message of [
      "Just a moment...",
      "Please enable JavaScript and cookies to continue",
      "You appear to be using a VPN",
      "Requests from your network have been blocked",
      "Unable to download webpage: HTTP Error 999: Request denied",
      "Failed to fetch macos OAuth token: HTTP Error 403: Forbidden"
    ]) {
      assert.strictEqual(said(message), "bot_blocked", message);
    }
    assert.strictEqual(reasonOf("'403 Forbidden' for 'https://api.example.com/posts/1'"), "bot_blocked");
    assert.strictEqual(reasonOf("'403 Forbidden' for 'https://example.com/posts/1'"), "private");
    assert.strictEqual(said("Available in Japan only. You might want to use a VPN"), "geo_restricted");
  });

  it("reported messages of large platforms get their actual reason", () => {
    const cases: ReadonlyArray<readonly [message: string, verdict: string]> = [
      [
        "Access to this page has been denied because we believe you are using automation tools",
        "bot_blocked"
      ],
      ["Request unsuccessful. Incapsula incident ID: 123", "bot_blocked"],
      ["Too many users have viewed or downloaded this file recently", "rate_limited"],
      ["You are blacked out of watching the game you selected", "geo_restricted"],
      ["This video isn't available to watch where you are.", "geo_restricted"],
      ["This video is unavailable in Restricted Mode; to view it, turn off Restricted mode.", "private"],
      ["This video can only be viewed on the domains set by its owner", "private"],
      ["You must be a member of this group to see this content", "private"],
      ["This post is for adults only (18+)", "age_restricted"],
      ["_Missing: No status found with that ID.", "removed"],
      ["This Post is from an account that no longer exists.", "removed"],
      ["Something went wrong: video not found", "removed"],
      ["User is not broadcasting", "live"],
      ["curl: (35) OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection", "unreachable"]
    ];
    for (const [message, verdict] of cases) assert.strictEqual(said(message), verdict, message);
  });

  it("paid, hidden, unfinished and copy-protected content is recognised", () => {
    for (const [message, verdict] of [
      ["Only available to paying customers", "login_required"],
      ["This video is only available to Music Premium members", "login_required"],
      ["The owner has restricted who can watch this video", "private"],
      ["This video is still encoding", "live"],
      ["FairPlay DRM is not supported", "drm"],
      ["The stream is encrypted", "drm"],
      ["The video is only available to viewers in Norway", "geo_restricted"],
      ["Channel not found", "removed"],
      ["No such video", "removed"],
      ["This post only contains images", "no_media"],
      ["Vox embeds are currently unsupported", "not_extractable"],
      ["HTTPSConnectionPool(host='x', port=443): Max retries exceeded with url: /", "unreachable"]
    ] as const) {
      assert.strictEqual(said(message), verdict, message);
    }
  });

  for (const [message, verdict] of MESSAGES) {
    it(`"${message.slice(0, 60)}" is ${verdict}`, () => assert.strictEqual(said(message), verdict));
  }

  it("advice about cookies means a log-in, unless the message is more specific", () => {
    const advice = ". Use --cookies-from-browser or --cookies for the authentication";
    for (const [message, verdict] of [
      ["This content is unreachable", "login_required"],
      ["You do not have permission to view this post", "private"],
      ["This video is only available for age verified users", "age_restricted"],
      ["You have exceeded the rate-limit", "rate_limited"],
      ["The read operation timed out", "timeout"]
    ] as const) {
      assert.strictEqual(said(message + advice), verdict);
    }
    assert.strictEqual(
      said("Video restricted to FR. You might want to use a VPN or a proxy server"),
      "geo_restricted"
    );
  });

  it("explainable messages are not extractor errors", () => {
    for (const [message, verdict] of [
      [
        "You've been temporarily blocked from viewing images. Please try using a different account",
        "bot_blocked"
      ],
      ["Session token has expired. Log in again or refresh cookies in browser", "login_required"],
      [
        "Required cookies for the auth-id.nfl.com domain were not found among passed cookies",
        "login_required"
      ],
      ["7: Failed to extract video URLs. You may need cookies to continue.", "login_required"],
      ["User authorization lost", "login_required"],
      ["this song has been offline because of copyright issues", "removed"],
      ["Stream not found; it has most likely expired", "removed"],
      ["The requested video is not archived or indexed", "removed"],
      ["No entry in site's table of contents for this URL", "removed"],
      ["The author of the video is blocked", "removed"],
      ["No active streams found", "live"],
      ["No songs found, try using proxy", "no_media"],
      ["No chapters found for course 12", "no_media"],
      ["Could not find video element", "no_media"],
      ["Spotify embeds are not supported", "not_extractable"],
      ["This website is no longer supported since it has been determined to be", "not_extractable"],
      ["This channel does not have a shorts tab", "not_extractable"],
      ["Invalid facebook redirect URL", "not_extractable"],
      ["Unsupported page type quiz", "not_extractable"],
      ["An error occurred while receiving data. Try again", "unreachable"],
      ["Incomplete data received", "unreachable"]
    ] as const) {
      assert.strictEqual(said(message), verdict);
    }
  });

  it("a missing page element says nothing about the content", () => {
    for (const message of [
      "Could not find videoId",
      "Could not find the content ID for this stream",
      "Player data URL not found",
      "Token not found in response",
      "Unable to find API endpoint",
      "Could not find player data"
    ]) {
      assert.strictEqual(said(message), "fault", message);
      assert.strictEqual(said(message, { expected: true }), "fault", message);
    }
    for (const message of [
      "'NoneType' object is not subscriptable",
      "'str' object has no attribute 'get'",
      "list index out of range",
      "Could not find XML element item"
    ]) {
      assert.strictEqual(said(message), "fault", message);
    }
    for (const message of ["No auth token found in API response", "The fetched token is already expired"]) {
      assert.strictEqual(said(message, { expected: false }), "fault", message);
    }
    assert.strictEqual(said("Could not find any video"), "no_media");
    assert.strictEqual(said("User not found"), "removed");
  });

  it("messages without a specific rule are classified by their kind", () => {
    for (const [message, verdict] of [
      ["Whoa there! Your request has been blocked due to a network policy. Try logging in", "bot_blocked"],
      ["HTTP redirect to home page (https://www.instagram.com/)", "bot_blocked"],
      ["You're Temporarily Blocked. It looks like you were going too fast", "bot_blocked"],
      ["Sorry, you have been blocked. You are unable to access example.com", "bot_blocked"],
      ["Checking if the site connection is secure", "bot_blocked"],
      ["Someone has blocked you", "private"],
      ["This user has blocked you", "private"],
      ["Access restricted", "private"],
      ["It may be restricted on the platform's side", "private"],
      ["This blog is only viewable by logged-in users. Please sign in", "login_required"],
      ["Invalid or missing token.", "login_required"],
      ["Please specify a cookie file.", "login_required"],
      ["This plugin does not support protected videos", "not_extractable"],
      ["Unknown url pattern", "not_extractable"],
      ["暂不支持直播", "not_extractable"],
      ["Unknown media ID: 12345", "removed"],
      ["Broadcaster has been blocked", "removed"],
      ["This video was disabled by the creator", "removed"],
      ["IDEC nebyl nalezen", "removed"],
      ["タイムシフトが見つかりませんでした", "removed"],
      ["Contenuto disponibile solo in Italia", "geo_restricted"],
      ["Katsottavissa vain Suomessa", "geo_restricted"],
      ["This video is private. Try again later", "private"],
      ["Only the owner of this video can watch it.", "private"],
      ["Sharing for this file has been turned off by its owner.", "private"],
      ["You appear to be outside the region in which this stream is available", "geo_restricted"],
      ["Available in: Germany, Austria, Switzerland only", "geo_restricted"],
      ["Processing video, this may take a while", "live"],
      ["Request blocked. We can't connect to the server for this app", "bot_blocked"],
      ["The URL does not point to a video", "not_extractable"],
      ["The upstream server is timing out", "timeout"],
      ["Connection to the host was lost", "unreachable"],
      ["Questo contenuto è privato", "private"],
      ["Denna video är privat", "private"],
      ["Video ini pribadi", "private"],
      ["Videon har tagits bort", "removed"],
      ["You have exceeded your hourly request quota.", "rate_limited"],
      ["This post contains only text", "no_media"],
      ["This link leads to a photo gallery", "no_media"],
      ["Please try again in a few seconds", "rate_limited"]
    ] as const) {
      assert.strictEqual(said(message), verdict, message);
    }
  });

  it("an unexpected message of a platform is not an extractor error", () => {
    for (const [message, verdict] of [
      ["Video not available, status code 10231; please report this issue on https://x", "removed"],
      ["Error(s) while querying API: Bad guest token; please report this issue on https://x", "bot_blocked"],
      [
        "HTTP Error 403 Forbidden; reason given: gold_only; please report this issue on https://x",
        "login_required"
      ],
      ["Unable to extract access token; please report this issue on https://x", "fault"],
      ["An extractor error has occurred. (caused by KeyError('private'))", "fault"]
    ] as const) {
      assert.strictEqual(said(message, { expected: false }), verdict);
    }
  });

  it("403 behind a public page is a bot check", () => {
    assert.strictEqual(said("unable to download video data: HTTP Error 403: Forbidden"), "bot_blocked");
    assert.strictEqual(said("Unable to download webpage: HTTP Error 403: Forbidden"), "private");
    assert.strictEqual(said("HTTP Error 412: Precondition Failed", { status: 412 }), "bot_blocked");
  });

  it("reasonOf takes a message, a line of the command or an error of gallery-dl", () => {
    assert.strictEqual(reasonOf("Premieres in 12 hours"), "live");
    assert.strictEqual(reasonOf("ERROR: [youtube] dQw4w9WgXcQ: Private video. Sign in"), "private");
    assert.strictEqual(reasonOf("There is no video in this post"), "not_extractable");
    assert.strictEqual(reasonOf("'404 Not Found' for 'https://www.example.com/1'"), "removed");
    assert.strictEqual(
      reasonOf("ERROR: [youtube] dQw4w9WgXcQ: Requested format is not available. Use --list-formats"),
      "bot_blocked"
    );
  });

  it("a status takes precedence over the words around it", () => {
    assert.strictEqual(
      said("Unable to download webpage: HTTP Error 404: Not Found", { status: 404 }),
      "removed"
    );
    assert.strictEqual(said("Private: HTTP Error 503", { status: 503 }), "source_fault");
  });

  it.each([
    [null, [200, 206, 304]],
    ["not_extractable", [400, 405, 406, 422]],
    ["login_required", [401, 402, 407]],
    ["private", [403, 423]],
    ["removed", [404, 410]],
    ["timeout", [408]],
    ["bot_blocked", [418]],
    ["rate_limited", [420, 429]],
    ["geo_restricted", [451]],
    ["source_fault", [500, 502, 503, 504]]
  ] as const)("a verdict of %s is that of the statuses %j", (verdict, statuses) => {
    for (const status of statuses) assert.strictEqual(classifyStatus(status), verdict, String(status));
  });

  it("a broken extractor is an internal error", () => {
    assert.strictEqual(said("Unable to extract player version", { expected: false }), "fault");
    assert.strictEqual(failureOf("fault").reason, "internal");
  });

  it("an unreachable host is not an extractor error, even if the message says so", () => {
    for (const message of [
      "Failed to extract any player response; please report this issue on https://x",
      "Unable to download webpage: ('Unable to connect to proxy', OSError('Tunnel connection failed: 502'))"
    ]) {
      assert.strictEqual(said(message, { expected: false }), "unreachable");
    }
    assert.strictEqual(failureOf("unreachable").reason, "unreachable");
    assert.strictEqual(failureOf("source_fault").reason, "unreachable");
    assert.notStrictEqual(failureOf("source_fault").message, failureOf("unreachable").message);
  });

  it("a child that ran out of memory is `too_large`", () => {
    assert.strictEqual(said("", { type: "MemoryError" }), "too_large");
  });

  it("the command's last line is classified like the exception", () => {
    const stderr = "WARNING: x\nERROR: [Fixture] abc: Private video. Sign in\n";
    assert.deepInclude(readCliFailure(stderr, 1), {
      ok: false,
      extractor: "Fixture",
      message: "Private video. Sign in"
    });
    assert.deepInclude(readCliFailure("ERROR: [generic] Unable: HTTP Error 410: Gone", 1), { status: 410 });
    assert.deepInclude(readCliFailure("Traceback (most recent call last)", 1), { expected: false });
    const traceback = `Traceback (most recent call last):
  File "/usr/bin/yt-dlp/yt_dlp/YoutubeDL.py", line 1637, in wrapper
  File "/usr/bin/yt-dlp/yt_dlp/extractor/common.py", line 749, in extract
  File "/usr/bin/yt-dlp/yt_dlp/extractor/generic.py", line 2349, in _real_extract
  File "/usr/bin/yt-dlp/yt_dlp/extractor/common.py", line 990, in _guess_encoding_from_content
UnicodeDecodeError: 'ascii' codec can't decode byte 0xc3`;
    assert.deepInclude(readCliFailure(traceback, 1), { expected: false, extractor: "generic" });
  });
});
