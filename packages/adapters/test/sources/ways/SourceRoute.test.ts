import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { readProxyAddress, shownProxy } from "@winnow/isolation/network/guard/ProxyAddress";
import { DEFAULT_ROUTE, routesOf, type SourceRoute } from "../../../src/sources/ways/SourceRoute.ts";

const route = (name: string, change: Partial<SourceRoute> = {}): SourceRoute => ({
  name,
  proxy: null,
  cookies: null,
  hosts: null,
  order: 1,
  ...change
});

const FALLBACK = route(DEFAULT_ROUTE);

describe("the routes of a host", () => {
  const table = [
    route("homes", { order: 20 }),
    route("office", { order: 10, hosts: ["youtube.com"] }),
    route("backup", { order: 20, hosts: ["youtube.com", "vimeo.com"] })
  ];
  const namesOf = (host: string, routes = table) => routesOf(routes, host, FALLBACK).map(({ name }) => name);

  it("are tried in their order, those of equal order as in the file", () => {
    assert.deepStrictEqual(namesOf("youtube.com"), ["office", "homes", "backup"]);
    assert.deepStrictEqual(namesOf("vimeo.com"), ["homes", "backup"]);
  });

  it("serve its sub-domains, and no name that only ends alike", () => {
    assert.deepStrictEqual(namesOf("M.YouTube.com"), ["office", "homes", "backup"]);
    assert.deepStrictEqual(namesOf("notyoutube.com"), ["homes"]);
    assert.deepStrictEqual(namesOf("youtube.com.evil.example"), ["homes"]);
  });

  it("are the server's own way if none serves it", () => {
    assert.deepStrictEqual(namesOf("vimeo.com", [table[1] ?? FALLBACK]), [DEFAULT_ROUTE]);
  });
});

describe("the address of a proxy", () => {
  it.each([
    ["http://user:p%40ss@[fd00::1]:3128", "http://[fd00::1]:3128"],
    ["http://proxy.corp/", "http://proxy.corp:80"],
    ["https://proxy.corp", "https://proxy.corp:443"],
    ["socks5://127.0.0.1", "socks5://127.0.0.1:1080"]
  ])("%s is shown as %s", (text, shown) => {
    assert.strictEqual(shownProxy(Result.getOrThrow(readProxyAddress(text))), shown);
  });
});
