// @module-tag smoke: installs the oldest supported yt-dlp
/**
 * Eight platforms in eight situations, read by the yt-dlp of the lock file and by the oldest supported one
 * (in `npm run test:faults`). The table of their reasons is in docs/reference;
 * `npm run test:faults -- packages/adapters/test/sources/platforms/situations.test.ts -u` writes it again.
 */
import { afterAll, assert, layer } from "@effect/vitest";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../harness.ts";
import { bilibiliSituations } from "./bilibili.ts";
import { instagramSituations } from "./instagram.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { redditSituations } from "./reddit.ts";
import { type Situation, type Situations, SITUATIONS } from "./Replica.ts";
import { soundcloudSituations } from "./soundcloud.ts";
import { tiktokSituations } from "./tiktok.ts";
import { vimeoSituations } from "./vimeo.ts";
import { seen } from "./visits.ts";
import { xSituations } from "./x.ts";
import { youtubeSituations } from "./youtube.ts";
import { testedLock } from "../../../src/programs/python/DownloaderEnvironment.ts";
import { locatePrograms } from "../../../src/programs/ExternalPrograms.ts";
import { readYtDlpVersion } from "../../../src/sources/yt-dlp/YtDlpVersion.ts";
import { oldestYtDlp, testedYtDlp } from "../oldestYtDlp.ts";

const PLATFORMS: Readonly<Record<string, Situations>> = {
  YouTube: youtubeSituations,
  TikTok: tiktokSituations,
  Instagram: instagramSituations,
  X: xSituations,
  Reddit: redditSituations,
  Vimeo: vimeoSituations,
  SoundCloud: soundcloudSituations,
  Bilibili: bilibiliSituations
};

const RIGHT: Readonly<Record<Situation, string>> = {
  public: "video",
  private: "private",
  removed: "removed",
  login: "login_required",
  "bot check": "bot_blocked",
  "rate limit": "rate_limited",
  geo: "geo_restricted",
  age: "age_restricted"
};

const RIGHT_SHARE_MIN = 0.95;

const DOCS = fileURLToPath(new URL("../../../../../docs/reference/refusals.md", import.meta.url));

const named = process.env["WINNOW_YTDLP"];

const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

const versions = await Effect.runPromise(
  Effect.forEach(
    [named === undefined ? testedYtDlp : Effect.succeed({ ytDlp: named }), ...(isWhole ? [oldestYtDlp] : [])],
    (program) =>
      Effect.gen(function* () {
        const { ytDlp } = yield* program;
        const programs = { ytDlp, galleryDl: process.env["WINNOW_GALLERY_DL"] };
        const version = yield* Effect.flatMap(locatePrograms(programs), readYtDlpVersion);
        return { programs, version: version ?? "unknown" };
      })
  )
);

/** What each platform's situations are told to be; null where it has no such answer. */
const reasonsOf = (situations: Situations) =>
  Effect.forEach(SITUATIONS, (situation) => {
    const url = situations[situation];
    if (url === null) return Effect.succeed(null);
    return seen(url).pipe(
      Effect.map(({ kind }): string => kind),
      Effect.catchTag("Failed", ({ reason }) => Effect.succeed(reason))
    );
  });

type Table = ReadonlyMap<string, ReadonlyArray<string | null>>;

/** By version; filled by the first tests. */
const tables = new Map<string, Table>();

const { downloaderWith } = await openPlatforms(temporaryFolder(), afterAll, {
  limits: { inspectTimeoutMs: 60_000 } // of a busy machine
});

for (const { programs, version } of versions) {
  const table = new Map<string, ReadonlyArray<string | null>>();
  tables.set(version, table);
  layer(downloaderWith(version, programs), { excludeTestServices: true })(`yt-dlp ${version}`, (it) => {
    for (const [platform, situations] of Object.entries(PLATFORMS)) {
      it.effect(`reads ${platform}`, () =>
        Effect.gen(function* () {
          table.set(platform, yield* reasonsOf(situations));
        })
      );
    }
  });
}

const isRight = (reason: string | null, index: number): boolean =>
  reason === RIGHT[SITUATIONS[index] ?? "public"];

const told = (table: Table) =>
  [...table.values()].flatMap((reasons) =>
    reasons.flatMap((reason, index) => (reason === null ? [] : [isRight(reason, index)]))
  );

const rowOf = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`;

/** Without the platforms that an earlier table has with the same reasons. */
const tableOf = (version: string, table: Table, earlier: Table | undefined): string => {
  const cells = told(table);
  const isNew = ([platform, reasons]: readonly [string, ReadonlyArray<string | null>]): boolean =>
    JSON.stringify(earlier?.get(platform)) !== JSON.stringify(reasons);
  const rows = [...table]
    .filter(isNew)
    .map(([platform, reasons]) =>
      rowOf([
        platform,
        ...reasons.map((reason, index) =>
          reason === null ? "–" : isRight(reason, index) ? `\`${reason}\`` : `**\`${reason}\`**`
        )
      ])
    );
  return [
    `## yt-dlp ${version}: ${cells.filter(Boolean).length} of ${cells.length}`,
    "",
    rowOf(["", ...SITUATIONS]),
    rowOf(["", ...SITUATIONS].map(() => "---")),
    ...rows
  ].join("\n");
};

const HEAD = `<!-- Generated by packages/adapters/test/sources/platforms/situations.test.ts. -->

# Reasons of refusals by platform

What Winnow tells when a [replica](../../CONTRIBUTING.md#replicas-of-platforms) of a platform answers a visitor like this, read by the unmodified extractors of the locked version and of the oldest supported one. Wrong reasons are bold; – means that no such answer is known; platforms that the older version reads alike are left out of its table. The answers have the shapes and words that the extractors look for. Made up are those that they pass on or do not know: log-in and place on Instagram, log-in on X and SoundCloud, place and age on Reddit and Vimeo. Rules were mended with these answers, so what platforms really send will be told less well.`;

describe("the reasons of refusals", () => {
  it.each(versions)("are right with yt-dlp $version", ({ version }) => {
    const cells = told(tables.get(version) ?? new Map());
    assert.isAtLeast(cells.length, 60);
    assert.isAtLeast(cells.filter(Boolean).length / cells.length, RIGHT_SHARE_MIN);
  });

  it.skipIf(versions[0]?.version !== testedLock().version)("are those in the docs", async () => {
    const [first] = tables.keys();
    const sections = [...tables].map(([version, table]) =>
      tableOf(version, table, version === first ? undefined : tables.get(first ?? ""))
    );
    const text = `${[HEAD, ...sections].join("\n\n")}\n`;
    // Without the oldest version, its section stays as it is.
    const rest = isWhole ? "" : readFileSync(DOCS, "utf8").slice(text.length);
    await expect(text + rest).toMatchFileSnapshot(DOCS);
  });
});
