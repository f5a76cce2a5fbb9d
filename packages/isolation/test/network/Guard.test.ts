import { assert, describe, it } from "vitest";
import { type ResolveHost, sharing } from "../../src/network/guard/Guard.ts";

/** A resolver whose responses the test sets, one name at a time. */
const slowNames = () => {
  const asked: Array<{
    readonly host: string;
    readonly answer: PromiseWithResolvers<ReadonlyArray<string>>;
  }> = [];
  const resolve: ResolveHost = (host) => {
    const answer = Promise.withResolvers<ReadonlyArray<string>>();
    asked.push({ host, answer });
    return answer.promise;
  };
  return { asked, resolve };
};

describe("sharing", () => {
  it("resolves once for concurrent callers, and again afterwards", async () => {
    const { asked, resolve } = slowNames();
    const shared = sharing(resolve);
    const answers = [shared("one.example"), shared("one.example"), shared("two.example")];
    await Promise.resolve();
    assert.deepStrictEqual(
      asked.map(({ host }) => host),
      ["one.example", "two.example"]
    );
    for (const { host, answer } of asked) answer.resolve([host]);
    assert.deepStrictEqual(await Promise.all(answers), [["one.example"], ["one.example"], ["two.example"]]);
    const later = shared("one.example");
    await Promise.resolve();
    asked.at(-1)?.answer.resolve(["another address"]);
    assert.deepStrictEqual(await later, ["another address"]);
  });

  it("does not share an old failure", async () => {
    const { asked, resolve } = slowNames();
    const shared = sharing(resolve);
    const [first, second] = [shared("one.example"), shared("one.example")];
    await Promise.resolve();
    asked[0]?.answer.reject(new Error("no answer"));
    for (const answer of [first, second])
      assert.strictEqual(
        await Promise.resolve(answer).then(
          () => "resolved",
          ({ message }: Error) => message
        ),
        "no answer"
      );
    const later = shared("one.example");
    await Promise.resolve();
    asked[1]?.answer.resolve(["an address"]);
    assert.deepStrictEqual(await later, ["an address"]);
  });
});
