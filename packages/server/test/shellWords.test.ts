import { assert, describe, it } from "@effect/vitest";
import { shellWords } from "../src/shellWords.ts";

describe("words of a command line", () => {
  it("are split as a shell would, and nothing is expanded", () => {
    assert.deepStrictEqual(shellWords(""), []);
    assert.deepStrictEqual(
      shellWords(`  --plugin-dirs '/my plugins' --extractor-args "youtube:a=\\"b\\";c=$HOME" -4 `),
      ["--plugin-dirs", "/my plugins", "--extractor-args", 'youtube:a="b";c=$HOME', "-4"]
    );
  });

  it("hold their quotes wherever these begin", () => {
    assert.deepStrictEqual(shellWords(`--add-headers=X:"a b"'c d'\\ e`), ["--add-headers=X:a bc d e"]);
  });

  it("are none when a quote is left open", () => {
    assert.isNull(shellWords("--cookies 'open"));
    assert.isNull(shellWords('--user-agent "open'));
  });
});
