// @module-tag smoke: installs the oldest supported yt-dlp
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/sandbox/ExternalPrograms.ts";
import { openSandbox } from "../../src/programs/sandbox/Sandbox.ts";
import { reportYtDlp } from "../../src/sources/fetch/ProgramReport.ts";
import { missingSince, readYtDlpVersion } from "../../src/sources/yt-dlp/YtDlpVersion.ts";
import { oldestYtDlp } from "./oldestYtDlp.ts";

const version = await Effect.runPromise(Effect.flatMap(locatePrograms({}), readYtDlpVersion));
const hasSandbox = (await Effect.runPromise(openSandbox("auto"))) !== null;

/** Older versions solve no scripts. */
const isOld = missingSince("--js-runtimes", version) !== null;

describe("the components of yt-dlp", () => {
  it.live.skipIf(isOld)("solve a script of YouTube's kind where programs run", () =>
    Effect.gen(function* () {
      const components = yield* reportYtDlp({}, [], "auto");
      const named = (name: string) => components.find((each) => each.name === name);
      const where = hasSandbox ? "in the sandbox" : "without a sandbox";
      assert.strictEqual(
        named("script solver")?.found,
        `solves a script of YouTube's kind in Node, ${where}`
      );
      assert.match(named("impersonation")?.found ?? "", /^\d+ targets, up to .*\bchrome \d+/u);
    })
  );

  it.live.skipIf(isOld)("say why scripts are not solved, and what to do", () =>
    Effect.gen(function* () {
      const solver = (yield* reportYtDlp({}, ["--no-js-runtimes"], "auto")).find(
        ({ name }) => name === "script solver"
      );
      assert.isNull(solver?.found);
      assert.include(solver?.purpose, "no JavaScript runtime");
      assert.include(solver?.remedy, "WINNOW_YTDLP_ARGS");
    })
  );

  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)("of an old version tell to update it", () =>
    Effect.gen(function* () {
      const solver = (yield* reportYtDlp(yield* oldestYtDlp, [], "auto")).find(
        ({ name }) => name === "script solver"
      );
      assert.isNull(solver?.found);
      assert.strictEqual(solver?.remedy, "winnow programs update");
    })
  );
});
