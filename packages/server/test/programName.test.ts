/** Commands in messages, as they can be pasted. */
import { join } from "node:path";
import { assert, describe, it } from "vitest";
import { pasteable } from "../src/programName.ts";

describe("a command in a message", () => {
  it("names the data folder that it is about, unless that is where the command looks by itself", () => {
    const update = "winnow programs update";
    assert.strictEqual(pasteable(update, ".winnow"), update);
    assert.strictEqual(pasteable(update, join(process.cwd(), ".winnow")), update);
    assert.strictEqual(pasteable(update, "/var/lib/winnow"), `WINNOW_DATA_DIR=/var/lib/winnow ${update}`);
    assert.strictEqual(pasteable(update, "/it's here"), `WINNOW_DATA_DIR='/it'\\''s here' ${update}`);
  });

  it("is found after a colon, in each line of a message, and not in the middle of a sentence", () => {
    assert.strictEqual(
      pasteable("a is away; install it with: winnow programs update\nOr try winnow check", "/d"),
      "a is away; install it with: WINNOW_DATA_DIR=/d winnow programs update\nOr try winnow check"
    );
  });
});
