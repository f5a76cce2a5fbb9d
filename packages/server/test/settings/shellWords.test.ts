import { assert, describe, it } from "@effect/vitest";
import { shellWords } from "../../src/settings/shellWords.ts";

describe("arguments of a command line", () => {
  it("are split like in a shell, without expansion", () => {
    assert.deepStrictEqual(shellWords(""), []);
    assert.deepStrictEqual(
      shellWords(`  --plugin-dirs '/my plugins' --extractor-args "youtube:a=\\"b\\";c=$HOME" -4 `),
      ["--plugin-dirs", "/my plugins", "--extractor-args", 'youtube:a="b";c=$HOME', "-4"]
    );
  });

  it("may contain quotes anywhere", () => {
    assert.deepStrictEqual(shellWords(`--add-headers=X:"a b"'c d'\\ e`), ["--add-headers=X:a bc d e"]);
  });

  it("are rejected if a quote is not closed", () => {
    assert.isNull(shellWords("--cookies 'open"));
    assert.isNull(shellWords('--user-agent "open'));
  });
});
