import { assert, describe, it } from "vitest";
import { shortageOf } from "../../../src/engine/runs/DiskSpaceGate.ts";

describe("a disk shortage", () => {
  it("is absent while every disk has enough space", () => {
    assert.isNull(shortageOf([], 100));
    assert.isNull(shortageOf([{ name: "data", freeBytes: 100 }], 100));
  });

  it("names the disk with the least space, its free bytes and the setting", () => {
    const disks = [
      { name: "data", freeBytes: 99 },
      { name: "artifacts", freeBytes: 7 }
    ];
    const why = shortageOf(disks, 100) ?? "";
    for (const part of ["artifacts", "7 bytes", "WINNOW_MIN_FREE_BYTES (100)"]) assert.include(why, part);
  });
});
