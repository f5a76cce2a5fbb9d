import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { checkYtDlpArgs, withAbsolutePaths } from "../../src/sources/yt-dlp/YtDlpArgs.ts";

const checked = (text: string) => checkYtDlpArgs(text.split(" "));
const parse = (text: string) => Result.getOrThrow(checked(text));
const refusal = (text: string) => Result.getOrThrow(Result.flip(checked(text)));

describe("YtDlpArgs", () => {
  it("a value may follow an equals sign or be a separate argument", () => {
    assert.deepStrictEqual(parse("--extractor-args=youtube:x --cookies /a.txt"), [
      "--extractor-args=youtube:x",
      "--cookies",
      "/a.txt"
    ]);
  });

  for (const option of [
    "--exec",
    "--exec-before-download",
    "--netrc-cmd",
    "--downloader",
    "--external-downloader-args",
    "--postprocessor-args",
    "--ffmpeg-location",
    "--enable-file-urls",
    "--load-info-json",
    "--batch-file",
    "--config-locations",
    "--proxy",
    "--geo-verification-proxy",
    "--output",
    "-o",
    "-P",
    "--cache-dir",
    "--download-archive",
    "--write-info-json",
    "--alias",
    "--update",
    "--exe"
  ]) {
    it(`${option} is rejected by name`, () => {
      for (const text of [`${option} x`, `${option}=x`, `--cookies a ${option} x`]) {
        const { message, option: named } = refusal(text);
        assert.strictEqual(
          named,
          option.startsWith("--") ? option : text.includes("=") ? `${option}=x` : option
        );
        assert.include(message, option);
      }
    });
  }

  it("paths become absolute, other values stay", () => {
    const words = ["--cookies", "c.txt", "--plugin-dirs=p", "--plugin-dirs", "default", "--referer", "r.txt"];
    assert.deepStrictEqual(withAbsolutePaths(words, "/base"), [
      "--cookies",
      "/base/c.txt",
      "--plugin-dirs=/base/p",
      "--plugin-dirs",
      "default",
      "--referer",
      "r.txt"
    ]);
  });

  it("a value cannot contain an option, and an option needs its value", () => {
    assert.deepStrictEqual(parse("--user-agent --exec"), ["--user-agent", "--exec"]);
    assert.include(refusal("--cookies").message, "needs a value");
    assert.include(refusal("https://example.org").message, "only options");
  });
});
