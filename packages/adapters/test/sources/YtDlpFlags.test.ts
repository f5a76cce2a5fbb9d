// @module-tag long
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/sandbox/ExternalPrograms.ts";
import { baseFlags, commentsFlags } from "../../src/sources/yt-dlp/YtDlpArgs.ts";
import { ageProblem, missingSince, readYtDlpVersion } from "../../src/sources/yt-dlp/YtDlpVersion.ts";
import { downloaderOf, temporaryFolder } from "./harness.ts";

const flags = (version: string | null) => baseFlags({ version, node: "/node", extraArgs: ["--force-ipv4"] });

describe("the flags of a yt-dlp", () => {
  const versions: ReadonlyArray<readonly [string | null, boolean, boolean]> = [
    ["2023.03.04", false, false],
    ["2025.02.19", false, false],
    ["2025.03.21", true, false],
    ["2025.04.30", true, false],
    ["2025.11.12", true, true],
    ["2026.08.19", true, true],
    ["2026.08.19.232858", true, true],
    ["stable@unknown", true, true],
    [null, true, true]
  ];
  for (const [version, plugins, engines] of versions) {
    it(`${version ?? "of unknown version"} are those it supports`, () => {
      const known = flags(version);
      assert.strictEqual(known.includes("--no-plugin-dirs"), plugins);
      assert.strictEqual(known.includes("--js-runtimes"), engines);
      assert.strictEqual(known.includes("node:/node"), engines);
      assert.includeMembers([...known], ["--ignore-config", "--no-cache-dir", "--no-playlist"]);
      assert.strictEqual(known.at(-1), "--force-ipv4", "the operator has the last word");
    });
  }

  it("for comments keep the operator's arguments for the same extractor", () => {
    const ours = "youtube:comment_sort=new;max_comments=5,all,all,all";
    const told = (...extraArgs: ReadonlyArray<string>) => commentsFlags(5, extraArgs).at(-1);
    assert.strictEqual(told("-4", "--extractor-args", "vimeo:x=1"), ours);
    assert.strictEqual(told("--extractor-args", "youtube:po_token=a;b=c", "-4"), `${ours};po_token=a;b=c`);
    assert.strictEqual(
      told("--extractor-args", "youtube:a=1", "--extractor-args=YouTube:b=2"),
      `${ours};b=2`
    );
  });

  it("that an operator adds may be too new", () => {
    assert.strictEqual(missingSince("--plugin-dirs=x", "2023.03.04"), "2024.10.22");
    assert.isNull(missingSince("--plugin-dirs", "2025.04.30"));
    assert.isNull(missingSince("--extractor-args", "2023.03.04"));
  });
});

describe("the age of a yt-dlp", () => {
  const now = Date.UTC(2026, 5, 1);

  it("is a problem after ninety days, and for YouTube before 2025.11.12", () => {
    assert.isNull(ageProblem("2026.03.03", now));
    assert.match(ageProblem("2026.03.02", now) ?? "", /^91 days old/u);
    assert.notInclude(ageProblem("2025.12.01", now), "YouTube");
    assert.include(ageProblem("2025.04.30", now), "YouTube needs 2025.11.12");
    assert.isNull(ageProblem("git", now));
  });
});

describe("the version of a yt-dlp", () => {
  it.live("is what the program reports", () =>
    Effect.gen(function* () {
      const programs = yield* locatePrograms({});
      const read = yield* readYtDlpVersion(programs);
      assert.match(read ?? "", /^\d{4}\.\d\d\.\d\d/u);
      assert.strictEqual(read, yield* readYtDlpVersion({ ...programs, ytDlpPython: null }));
    })
  );

  it.live("that does not know an operator's option refuses to start, by name", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder();
      const site = { url: "http://127.0.0.1:9", folder, hits: [], secrets: new Set<string>() };
      const old = join(folder, "yt-dlp");
      writeFileSync(old, "#!/bin/sh\necho 2023.03.04\n");
      chmodSync(old, 0o755);
      mkdirSync(join(folder, "work"));
      const exit = yield* Effect.exit(
        Effect.void.pipe(
          Effect.provide(downloaderOf(site, join(folder, "work"), { programs: { ytDlp: old } }))
        )
      );
      assert.include(String(exit), "needs yt-dlp 2024.10.22 or newer");
    })
  );
});
