// @module-tag long
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";
import { baseFlags, commentsFlags } from "../../src/sources/yt-dlp/YtDlpArgs.ts";
import { ageProblem, missingSince, readYtDlpVersion } from "../../src/sources/yt-dlp/YtDlpVersion.ts";
import { reportPrograms } from "../../src/sources/ProgramReport.ts";
import { downloaderOf, temporaryFolder } from "./harness.ts";

const flags = (version: string | null) => baseFlags({ version, node: "/node", extraArgs: ["--force-ipv4"] });

describe("the flags of a yt-dlp", () => {
  const versions: ReadonlyArray<readonly [string | null, boolean]> = [
    ["2025.04.30", false],
    ["2025.11.12", true],
    ["2026.08.19", true],
    ["2026.08.19.232858", true],
    ["stable@unknown", true],
    [null, true]
  ];
  for (const [version, engines] of versions) {
    it(`${version ?? "of unknown version"} are those it supports`, () => {
      const known = flags(version);
      assert.strictEqual(known.includes("--js-runtimes"), engines);
      assert.strictEqual(known.includes("node:/node"), engines);
      assert.includeMembers([...known], ["--ignore-config", "--no-plugin-dirs", "--no-cache-dir"]);
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
    assert.strictEqual(missingSince("--js-runtimes=x", "2025.04.30"), "2025.11.12");
    assert.isNull(missingSince("--js-runtimes", "2025.11.12"));
    assert.isNull(missingSince("--extractor-args", "2025.04.30"));
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

  const startedWith = (version: string, ytDlpArgs: ReadonlyArray<string>) => {
    const folder = temporaryFolder();
    const site = { url: "http://127.0.0.1:9", folder, hits: [], secrets: new Set<string>() };
    const ytDlp = join(folder, "yt-dlp");
    writeFileSync(ytDlp, `#!/bin/sh\necho ${version}\n`);
    chmodSync(ytDlp, 0o755);
    mkdirSync(join(folder, "work"));
    const downloader = downloaderOf(site, join(folder, "work"), { programs: { ytDlp }, ytDlpArgs });
    return Effect.exit(Effect.provide(Effect.void, downloader));
  };

  it.live("that does not know an operator's option refuses to start, by name", () =>
    Effect.map(startedWith("2025.04.30", ["--js-runtimes", "node"]), (exit) =>
      assert.include(String(exit), "needs yt-dlp 2025.11.12 or newer")
    )
  );

  it.live("that is older than supported refuses to start, and is missing in the report", () =>
    Effect.gen(function* () {
      const exit = yield* startedWith("2025.04.29", []);
      assert.include(
        String(exit),
        "yt-dlp 2025.04.29 is older than 2025.04.30, the oldest version that Winnow supports. Install a newer one with: winnow programs update"
      );
      const file = join(temporaryFolder(), "yt-dlp");
      writeFileSync(file, "#!/bin/sh\necho 2023.03.04\n", { mode: 0o755 });
      const [report] = yield* reportPrograms({ ytDlp: file });
      assert.deepInclude(report, { path: file, version: null, remedy: "winnow programs update" });
      assert.include(report?.problem, "2023.03.04 is older than 2025.04.30");
    })
  );
});
