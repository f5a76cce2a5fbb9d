import { assert, describe, it } from "@effect/vitest";
import {
  FILE_LINK_TTL_MS,
  linkEndOf,
  linkState,
  signLink,
  type LinkedFile
} from "../../../src/engine/extractions/FileLinks.ts";

const NOW_MS = 1_700_000_000_500;
const SECRET = "a secret of the server";

const file: LinkedFile = {
  accountId: "acc_1",
  extractionId: "ext_1",
  name: "video.mp4",
  expiresAtSeconds: linkEndOf(NOW_MS)
};
const signature = signLink(SECRET, file);
const endMs = file.expiresAtSeconds * 1_000;

describe("a link to a file", () => {
  it("is valid for a quarter of an hour, up to its last millisecond", () => {
    assert.isAtLeast(endMs, NOW_MS + FILE_LINK_TTL_MS);
    assert.isBelow(endMs, NOW_MS + FILE_LINK_TTL_MS + 1_000);
    assert.strictEqual(linkState(SECRET, file, signature, endMs - 1), "valid");
    assert.strictEqual(linkState(SECRET, file, signature, endMs), "expired");
  });

  it("opens only the file it was signed for", () => {
    const others: ReadonlyArray<Partial<LinkedFile>> = [
      { accountId: "acc_2" },
      { extractionId: "ext_2" },
      { name: "audio.m4a" },
      { expiresAtSeconds: file.expiresAtSeconds + 1 },
      { expiresAtSeconds: Number.NaN }
    ];
    for (const other of others) {
      assert.strictEqual(linkState(SECRET, { ...file, ...other }, signature, NOW_MS), "invalid");
    }
    for (const changed of ["", "x", `${signature}AA`, signature.slice(1), "\u0000"]) {
      assert.strictEqual(linkState(SECRET, file, changed, NOW_MS), "invalid", changed);
    }
    assert.strictEqual(linkState("another server's", file, signature, NOW_MS), "invalid");
  });
});
