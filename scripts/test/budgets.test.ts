import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { assert, describe, it, onTestFinished } from "vitest";
import {
  busySecondsOf,
  folderNameOf,
  judgeMinutes,
  leftIn,
  makeRunFolder,
  othersShare,
  timed,
  whenIdle
} from "../budgets.ts";

describe("the budgets of a run", () => {
  it("name each thing that is left in a temporary folder, its size and who left it", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "winnow-budgets-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    assert.deepStrictEqual(leftIn(folder, "a.test.ts"), []);
    mkdirSync(path.join(folder, "data/deep"), { recursive: true });
    writeFileSync(path.join(folder, "data/deep/file"), Buffer.alloc(2_500_000));
    assert.deepStrictEqual(leftIn(folder, "a.test.ts"), [
      "a.test.ts leaves data (2.5 MB) in the temporary folder"
    ]);
    assert.deepStrictEqual(leftIn(path.join(folder, "none"), "b.test.ts"), []);
  });

  it("have a short folder of its own for each file", () => {
    const names = Array.from({ length: 500 }, (_, index) => folderNameOf(`/a/${index}.test.ts`));
    assert.strictEqual(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[0-9a-f]{6}$/u);
  });

  it("are counted in a folder of the run; that of a run that was cut off goes at the next one", () => {
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const cutOff = mkdtempSync(path.join(tmpdir(), `winnow-${ended}-`));
    const own = makeRunFolder();
    onTestFinished(() => rmSync(own, { recursive: true }));
    assert.isFalse(existsSync(cutOff));
    const again = makeRunFolder();
    assert.isTrue(existsSync(own));
    rmSync(again, { recursive: true });
  });

  it("fail a run of eight minutes that takes over two thirds more on an idle machine, and say so", () => {
    const judge = (seconds: number) => judgeMinutes({ seconds, others: 0.034, typesSeconds: null }, 480);
    assert.deepStrictEqual(judge(800), { line: "13 min 20 s (8 min 0 s at most)", isBroken: false });
    assert.deepStrictEqual(judge(801), {
      line: "Too slow: 13 min 21 s (8 min 0 s at most), on an idle machine",
      isBroken: true
    });
  });

  it("allow a machine that needs twice the time for all types three times the minutes", () => {
    const judge = (seconds: number, typesSeconds: number) =>
      judgeMinutes({ seconds, others: 0, typesSeconds }, 480);
    const line = "24 min 0 s (8 min 0 s at most, on a machine 2.0 times as fast)";
    assert.deepStrictEqual(judge(1_440, 33), { line, isBroken: false });
    assert.isTrue(judge(1_441, 33).isBroken);
    assert.isTrue(judge(801, 8).isBroken, "a fast one has as many as one of which nothing is known");
  });

  it("do not hold a run to minutes if others use the machine or nobody knows, and say so", () => {
    for (const [others, why] of [
      [0.234, "23 % of the processors' time is used before or after the run"],
      [null, "it is not known"]
    ] as const) {
      const { line, isBroken } = judgeMinutes({ seconds: 900, others, typesSeconds: null }, 480);
      assert.isFalse(isBroken);
      assert.match(line, /^15 min 0 s \(8 min 0 s at most\), which is not held: /u);
      assert.include(line, why);
    }
  });

  it("look for others just before a run and just after it, and take the larger share", async () => {
    const timedBeside = (...shares: Array<number | null>) => {
      const rest = [...shares];
      return timed(
        async () => rest.length,
        async () => rest.shift() ?? null
      );
    };
    for (const shares of [
      [0.02, 0.3],
      [0.3, 0.02]
    ]) {
      const { value, others } = await timedBeside(...shares);
      assert.deepStrictEqual([value, others], [1, 0.3]);
    }
    assert.isNull((await timedBeside(0.02, null)).others);
    assert.isNull((await timedBeside(null, 0.02)).others);
  });

  it("do not try slow files again beside others, whose load would slow them", async () => {
    let runs = 0;
    const tried = (...shares: Array<number | null>) =>
      whenIdle(
        async () => (runs += 1),
        async () => shares.shift() ?? null
      );
    assert.isNull(await tried(0.11));
    assert.isNull(await tried(null));
    assert.strictEqual(runs, 0);
    assert.strictEqual(await tried(0.1, 0), 1);
    assert.isNull(await tried(0, 0.11));
    assert.strictEqual(runs, 2);
  });

  it.skipIf(process.platform !== "linux")("know how much this machine works", async () => {
    const share = await othersShare(1);
    assert.isTrue(share !== null && share >= 0 && share <= 1, String(share));
  });

  it("count work, also of other virtual machines, and neither idleness nor waiting for a disk", () => {
    // User, nice, system, idle, wait, interrupts, soft ones, stolen, guest, nice guest; in hundredths of a second.
    assert.strictEqual(busySecondsOf("cpu  100 200 300 9000 9000 400 500 600 100 200\ncpu0 1 1\n"), 21);
    assert.isNull(busySecondsOf(""));
  });
});
