import { assert, describe, it } from "vitest";
import { inTurnByDomain, LOOKUPS_QUEUED_MAX } from "../../src/network/guard/Guard.ts";

/** Names below `silent` are looked up for ever. */
const resolver = () => {
  const asked: Array<string> = [];
  const resolve = inTurnByDomain((host) => {
    asked.push(host);
    return host.includes("silent") ? new Promise(() => {}) : [host];
  }, 32);
  return { asked, resolve };
};

const names = (domain: string, count = 200) => Array.from({ length: count }, (_, n) => `h${n}.${domain}`);

describe("Look-ups", () => {
  it("of one domain whose name servers are silent leave room for other domains", async () => {
    const { asked, resolve } = resolver();
    const answers = names("silent.example").map(resolve);
    assert.lengthOf(asked, 8);
    assert.deepStrictEqual(await resolve("www.other.example"), ["www.other.example"]);
    assert.deepStrictEqual(
      answers.filter((answer) => Array.isArray(answer)).length,
      200 - 8 - LOOKUPS_QUEUED_MAX,
      "the rest does not resolve"
    );
  });

  it("of several such domains leave room too, and registries of countries are not one domain", async () => {
    const { asked, resolve } = resolver();
    for (let domain = 0; domain < 6; domain++) names(`silent${domain}.co.uk`).forEach(resolve);
    assert.isBelow(asked.length, 32);
    assert.deepStrictEqual(await resolve("www.other.co.uk"), ["www.other.co.uk"]);
  });

  it("of a domain are not passed by those that come later, however many new names there are", async () => {
    const asked: Array<string> = [];
    const pending: Array<(addresses: ReadonlyArray<string>) => void> = [];
    const resolve = inTurnByDomain((host) => {
      asked.push(host);
      return new Promise((answer) => void pending.push(answer));
    }, 2);
    const endOne = (): Promise<void> => {
      pending.shift()?.([]);
      return new Promise((done) => setImmediate(done));
    };
    let names = 0;
    const askNew = (): void => void resolve(`new${(names += 1)}.test`);
    void resolve("a.video.example");
    for (let waiting = 0; waiting < 4; waiting += 1) askNew();
    await endOne();
    void resolve("b.video.example");
    for (let later = 0; later < 8; later += 1) {
      askNew();
      await endOne();
    }
    assert.deepStrictEqual(
      asked.slice(0, 7),
      "a.video.example new1.test new2.test new3.test new4.test b.video.example new5.test".split(" ")
    );
  });

  it("that fail or end let the next one begin", async () => {
    const resolve = inTurnByDomain((host) => {
      if (host.startsWith("bad")) throw new Error("no such name");
      return [host];
    }, 2);
    const all = ["bad1", "ok1", "bad2", "ok2"].map((name) => resolve(`${name}.example`));
    const ended = await Promise.allSettled(all);
    assert.deepStrictEqual(
      ended.map(({ status }) => status),
      ["rejected", "fulfilled", "rejected", "fulfilled"]
    );
  });
});
