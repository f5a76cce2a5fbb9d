import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { parseAllowList } from "../../src/network/guard/Guard.ts";

const allowList = (...entries: ReadonlyArray<string>) => Result.getOrThrow(parseAllowList(entries));

describe("an allow-list", () => {
  it("opens a port of an address and no other", () => {
    const allow = allowList("127.0.0.1:8099");
    assert.isTrue(allow.hasAddress("127.0.0.1", 8099));
    assert.isFalse(allow.hasAddress("127.0.0.1", 8098));
    assert.isFalse(allow.hasAddress("127.0.0.2", 8099));
    assert.isFalse(allow.hasName("localhost", 8099));
  });

  it("opens every port of an entry without port", () => {
    const allow = allowList("wiki.corp", "10.0.0.5");
    assert.isTrue(allow.hasName("wiki.corp", 80) && allow.hasName("wiki.corp", 9000));
    assert.isTrue(allow.hasAddress("10.0.0.5", 1));
    assert.isFalse(allow.hasName("sub.wiki.corp", 80));
  });

  it("opens a block of addresses, IPv6 too", () => {
    const allow = allowList("10.1.0.0/16", "fd00::/8");
    assert.isTrue(allow.hasAddress("10.1.255.1", 443) && allow.hasAddress("fd12::1", 443));
    assert.isFalse(allow.hasAddress("10.2.0.1", 443) || allow.hasAddress("fe80::1", 443));
    assert.isFalse(allow.hasAddress("::ffff:10.1.0.1", 443));
    assert.isFalse(allow.hasAddress("fd12::1%eth0", 443));
  });

  it("reads IPv6 with and without brackets, names in any case, spaces around", () => {
    const allow = allowList("::1", "[fd00::1]:8080", " Wiki.Corp.:81 ");
    assert.isTrue(
      allow.hasAddress("::1", 9) && allow.hasAddress("fd00::1", 8080) && allow.hasName("wiki.corp", 81)
    );
    assert.isFalse(allow.hasAddress("fd00::1", 8081));
  });

  it.each([
    "",
    "http://wiki.corp",
    "wiki.corp/path",
    "*.corp",
    "wiki.corp:",
    "wiki.corp:0",
    "wiki.corp:65536",
    "wiki.corp:08",
    "wiki.corp:http",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "256.0.0.1",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8:80",
    "10.0.0/8",
    "fd00::/129",
    "fe80::1%eth0",
    "[127.0.0.1]:80",
    "[::1",
    "wiki corp",
    "bücher.example.org",
    "a,b"
  ])("refuses the entry %j and names it", (entry) => {
    const parsed = parseAllowList(["10.0.0.1", entry]);
    assert.isTrue(Result.isFailure(parsed));
    const error = Result.getOrThrow(Result.flip(parsed));
    assert.strictEqual(error.setting, "allow");
    assert.strictEqual(error.entry, entry);
    assert.include(error.message, `"${entry}"`);
  });
});
