// @module-tag smoke: installs the oldest supported yt-dlp
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { reportYtDlp } from "../../src/sources/ProgramReport.ts";
import { oldestYtDlp, testedYtDlp } from "./oldestYtDlp.ts";

describe("the components of yt-dlp", () => {
  it.live("are the packages of the tested version, none of them missing", () =>
    Effect.gen(function* () {
      const components = yield* reportYtDlp(yield* testedYtDlp, null);
      assert.deepStrictEqual(
        components.map(({ name, remedy }) => [name, remedy]),
        [
          ["fork server", null],
          ["yt-dlp version", null],
          ["JavaScript", null],
          ["yt-dlp-ejs", null],
          ["curl_cffi", null]
        ]
      );
      for (const { found, name } of components.slice(1)) assert.match(found ?? "", /\d+\.\d+/u, name);
    })
  );

  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)("of an old version tell to update it", () =>
    Effect.gen(function* () {
      const components = yield* reportYtDlp(yield* oldestYtDlp, null);
      const scripts = components.find(({ name }) => name === "JavaScript");
      assert.isNull(scripts?.found);
      assert.strictEqual(scripts?.remedy, "winnow programs update");
    })
  );
});
