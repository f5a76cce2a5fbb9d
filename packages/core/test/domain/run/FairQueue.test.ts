import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import { makeFairQueue, shareOf } from "../../../src/domain/run/FairQueue.ts";
import { intBetween, oneOf } from "../Arbitraries.ts";

/** Takes as many permits as possible. */
const takeAll = <T>(line: ReturnType<typeof makeFairQueue<T>>): ReadonlyArray<T> => {
  const taken: Array<T> = [];
  for (let next = line.dequeue(); next !== undefined; next = line.dequeue()) taken.push(next.item);
  return taken;
};

const joinMany = (line: ReturnType<typeof makeFairQueue<string>>, account: string, count: number): void => {
  for (let index = 1; index <= count; index++) line.enqueue(account, `${account}${index}`);
};

describe("FairQueue", () => {
  it("a single account gets half, so that the next one finds free permits", () => {
    const line = makeFairQueue<string>(8);
    joinMany(line, "a", 20);
    assert.deepStrictEqual(takeAll(line), ["a1", "a2", "a3", "a4"]);
    joinMany(line, "b", 1);
    assert.deepStrictEqual(takeAll(line), ["b1"]);
  });

  it("accounts take turns, each in its own order", () => {
    const line = makeFairQueue<string>();
    joinMany(line, "a", 3);
    joinMany(line, "b", 2);
    joinMany(line, "c", 1);
    assert.deepStrictEqual(takeAll(line), ["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("the account that holds least comes first", () => {
    const line = makeFairQueue<string>(2);
    joinMany(line, "a", 1);
    assert.deepStrictEqual(takeAll(line), ["a1"]);
    joinMany(line, "a", 5);
    joinMany(line, "b", 1);
    assert.deepStrictEqual(takeAll(line), ["b1"]);
    line.release("b");
    joinMany(line, "c", 1);
    assert.deepStrictEqual(takeAll(line), ["c1"]);
  });

  it("whoever comes waits for no round of those who were served", () => {
    const line = makeFairQueue<string>(2);
    for (const burst of ["a", "b", "c", "d", "e"]) joinMany(line, burst, 8);
    assert.deepStrictEqual(takeAll(line), ["a1", "b1"]);
    line.release("a");
    assert.deepStrictEqual(takeAll(line), ["c1"]);
    for (const burst of ["b", "c", "d", "e"]) {
      line.release(burst);
      takeAll(line);
    }
    joinMany(line, "newcomer", 2);
    line.release("a");
    assert.deepStrictEqual(takeAll(line), ["newcomer1"]);
    line.release("b");
    assert.deepStrictEqual(takeAll(line), ["c2"]);
  });

  it("where the fewest come first, one of many that begin together passes them once", () => {
    const line = makeFairQueue<string>(2, { fewestFirst: true });
    for (const account of ["a", "b"]) joinMany(line, account, 1);
    assert.deepStrictEqual(takeAll(line), ["a1", "b1"]);
    joinMany(line, "burst", 8);
    for (const account of ["single", "other"]) joinMany(line, account, 1);
    line.release("a");
    assert.deepStrictEqual(takeAll(line), ["single1"]);
    line.release("single");
    assert.deepStrictEqual(takeAll(line), ["other1"]);
    joinMany(line, "single", 1);
    line.release("other");
    assert.deepStrictEqual(takeAll(line), ["burst1"]);
  });

  it("an account that leaves loses only its own place", () => {
    const line = makeFairQueue<string>(2);
    joinMany(line, "a", 3);
    line.remove("a", "a1");
    line.remove("a", "nobody");
    assert.strictEqual(line.waiting(), 2);
    assert.deepStrictEqual(takeAll(line), ["a2"]);
    line.remove("a", "a3");
    assert.strictEqual(line.waiting(), 0);
  });

  it("nobody gets more than half even while alone, rounded down, and a total that has no half is refused", () => {
    for (const [total, half] of [
      [2, 1],
      [3, 1],
      [5, 2],
      [64, 32]
    ] as const) {
      const line = makeFairQueue<string>(total);
      joinMany(line, "a", total + 1);
      assert.lengthOf(takeAll(line), half);
    }
    assert.throws(() => makeFairQueue(1), RangeError);
  });

  it("accounts that hold nothing find room when all the rest is taken by several others", () => {
    const line = makeFairQueue<string>(12, { ofAccountMax: 3, forNewcomers: 4 });
    const taken = ["a", "b", "c", "d"].map((burst) => {
      joinMany(line, burst, 16);
      return takeAll(line).length;
    });
    assert.deepStrictEqual(taken, [3, 2, 2, 1]);
    joinMany(line, "newcomer", 2);
    assert.deepStrictEqual(takeAll(line), ["newcomer1"]);
    line.release("newcomer");
    assert.deepStrictEqual(takeAll(line), ["newcomer2"]);
  });

  it("one permit is left for the last account, for any number of accounts", () => {
    assert.strictEqual(shareOf(16, 1), 8);
    assert.strictEqual(shareOf(16, 3), 4);
    assert.strictEqual(shareOf(2, 50), 1);
  });

  const Step = Arbitrary.all({
    kind: oneOf(["join", "join", "leave", "take", "back"]),
    who: intBetween(0, 4)
  });

  it.prop(
    "never exceeds the total or an account's half, leaves no usable permit idle, keeps each account's order, and lets nobody pass twice whoever holds nothing",
    {
      total: intBetween(2, 9),
      ofAccountMax: intBetween(1, 9),
      kept: intBetween(0, 4),
      fewestFirst: oneOf([false, true]),
      newFirst: oneOf([false, true]),
      steps: Arbitrary.array(Step, { minLength: 1, maxLength: 80 })
    },
    ({ fewestFirst, kept, newFirst, ofAccountMax, total, steps }) => {
      const shared = Math.max(2, total - kept);
      const line = makeFairQueue<number>(total, {
        ofAccountMax,
        forNewcomers: total - shared,
        fewestFirst,
        newFirst
      });
      const waiting = new Map<string, Array<number>>();
      const held = new Map<string, number>();
      /** Who was served since an account waits and holds nothing. */
      const passedBy = new Map<string, Set<string>>();
      const heldCount = () => [...held.values()].reduce((sum, count) => sum + count, 0);
      let serial = 0;
      for (const { kind, who } of steps) {
        const account = `acc${who}`;
        const own = waiting.get(account) ?? [];
        waiting.set(account, own);
        if (kind === "join") {
          serial += 1;
          own.push(serial);
          line.enqueue(account, serial);
        } else if (kind === "leave") {
          const left = own.pop();
          if (left !== undefined) line.remove(account, left);
          if (own.length === 0) passedBy.delete(account);
        } else if (kind === "back") {
          if ((held.get(account) ?? 0) > 0) held.set(account, (held.get(account) ?? 0) - 1);
          line.release(account);
        } else {
          const present = [...waiting.keys()].filter(
            (each) => (waiting.get(each)?.length ?? 0) > 0 || (held.get(each) ?? 0) > 0
          );
          const share = heldCount() < shared ? Math.min(ofAccountMax, shareOf(shared, present.length)) : 1;
          const mayHave = present.filter(
            (each) => (waiting.get(each)?.length ?? 0) > 0 && (held.get(each) ?? 0) < share
          );
          const taken = line.dequeue();
          if (heldCount() >= total || mayHave.length === 0) assert.isUndefined(taken);
          else {
            assert.include(mayHave, taken?.account);
            const least = Math.min(...mayHave.map((each) => held.get(each) ?? 0));
            assert.strictEqual(held.get(taken?.account ?? "") ?? 0, least);
            assert.strictEqual(taken?.item, waiting.get(taken?.account ?? "")?.shift());
            held.set(taken?.account ?? "", least + 1);
            passedBy.delete(taken?.account ?? "");
            for (const each of mayHave.filter(
              (other) => other !== taken?.account && (held.get(other) ?? 0) === 0
            )) {
              const passing = passedBy.get(each) ?? new Set();
              assert.isFalse(passing.has(taken?.account ?? ""));
              passedBy.set(each, passing.add(taken?.account ?? ""));
            }
          }
        }
        assert.strictEqual(line.held(), heldCount());
        assert.isAtMost(line.held(), total);
        for (const count of held.values()) assert.isAtMost(count, Math.min(ofAccountMax, total / 2));
        assert.strictEqual(line.waitingOf(account), own.length);
      }
    }
  );
});
