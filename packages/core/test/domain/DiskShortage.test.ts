import { assert, describe, it } from "vitest";
import { shortageOf } from "../../src/domain/DiskShortage.ts";

describe("a shortage of room", () => {
  it("is none while every disk has as much as is wanted", () => {
    assert.isNull(shortageOf([], 100));
    assert.isNull(shortageOf([{ name: "data", freeBytes: 100 }], 100));
  });

  it("names the disk that has least, what it has and the setting", () => {
    const places = [
      { name: "data", freeBytes: 99 },
      { name: "artifacts", freeBytes: 7 }
    ];
    const why = shortageOf(places, 100) ?? "";
    for (const part of ["artifacts", "7 bytes", "WINNOW_MIN_FREE_BYTES (100)"]) assert.include(why, part);
  });
});
