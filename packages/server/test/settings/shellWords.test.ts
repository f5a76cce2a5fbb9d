import { assert, describe, it } from "@effect/vitest";
import { shellWords } from "../../src/settings/SettingValue.ts";

const { parse } = shellWords;

describe("arguments of a command line", () => {
  it("are split like in a shell, without expansion", () => {
    assert.deepStrictEqual(parse(""), []);
    assert.deepStrictEqual(
      parse(`  --plugin-dirs '/my plugins' --extractor-args "youtube:a=\\"b\\";c=$HOME" -4 `),
      ["--plugin-dirs", "/my plugins", "--extractor-args", 'youtube:a="b";c=$HOME', "-4"]
    );
  });

  it("may contain quotes anywhere", () => {
    assert.deepStrictEqual(parse(`--add-headers=X:"a b"'c d'\\ e`), ["--add-headers=X:a bc d e"]);
  });

  it("are rejected if a quote is not closed", () => {
    assert.isNull(parse("--cookies 'open"));
    assert.isNull(parse('--user-agent "open'));
  });
});
