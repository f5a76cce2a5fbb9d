import { assert, describe, it } from "@effect/vitest";
import type { SourceRoute } from "@winnow/adapters/sources/ways/SourceRoute";
import * as Result from "effect/Result";
import { readRoutes } from "../../src/adapters/RouteFields.ts";

const route = (name: string, change: Partial<SourceRoute> = {}): SourceRoute => ({
  name,
  proxy: null,
  cookies: null,
  hosts: null,
  order: 1,
  ...change
});

describe("the file of routes", () => {
  it("names routes with what they need", () => {
    const json = {
      routes: [
        { name: "office", order: 1 },
        {
          name: "homes",
          order: 2,
          proxy: "socks5://user:p%40ss@proxy.example",
          cookies: "youtube.txt",
          hosts: ["youtube.com"]
        }
      ]
    };
    const proxy = {
      scheme: "socks5",
      host: "proxy.example",
      port: 1_080,
      username: "user",
      password: "p@ss"
    } as const;
    assert.deepStrictEqual(Result.getOrThrow(readRoutes(json)), [
      route("office"),
      route("homes", { order: 2, proxy, cookies: "youtube.txt", hosts: ["youtube.com"] })
    ]);
  });

  const one = (change: Record<string, unknown>) => ({ routes: [{ name: "office", order: 1, ...change }] });

  it.each<readonly [string, unknown, RegExp]>([
    ["no routes", [], /Routes must be a JSON object such as/u],
    ["an empty list", { routes: [] }, /`routes` is empty/u],
    [
      "an unknown key of the file",
      { routes: [{ name: "a", order: 1 }], route: 1 },
      /`route` is not a field/u
    ],
    ["an unknown key", one({ cookie: "a.txt" }), /^Route "office": .*`cookie`/u],
    ["no order", { routes: [{ name: "office" }] }, /^Route "office": .*`order`/u],
    ["no name", { routes: [{ order: 1 }] }, /^Route 1 must have a `name`/u],
    [
      "a name twice",
      {
        routes: [
          { name: "a", order: 1 },
          { name: "a", order: 2 }
        ]
      },
      /^Route 2 is named "a"/u
    ],
    ["the reserved name", { routes: [{ name: "default", order: 1 }] }, /reserved/u],
    ["a URL as host", one({ hosts: ["https://youtube.com/"] }), /write a host such as/u],
    ["no hosts", one({ hosts: [] }), /`hosts` is empty/u],
    [
      "another proxy",
      one({ proxy: "ftp://user:s3cret@proxy" }),
      /`proxy` .*must be an http:\/\/, https:\/\/ or socks5:\/\//u
    ],
    ["a path of a proxy", one({ proxy: "http://user:s3cret@proxy/path" }), /`proxy` .*must have no path/u],
    [
      "a URL as unknown key",
      one({ "http://u:s3cret@p": 1 }),
      /^Route "office": \(not shown.*is not a field/u
    ],
    ["a URL as key of the file", { routes: [{}], "http://u:s3cret@p": 1 }, /^\(not shown/u],
    ["a proxy as host", one({ hosts: ["http://u:s3cret@p"] }), /`hosts` has \(not shown/u],
    ["a password as host", one({ hosts: ["u:s3cret@p"] }), /`hosts` has \(not shown/u],
    ["a proxy as name", one({ name: "http://u:s3cret@p" }), /^Route 1 must have a `name`/u],
    ["a password that ends the host", one({ proxy: "http://u:1/s3cret@p" }), /`proxy` \(not shown/u],
    ["a price, which no route has", one({ usdPerGb: 3 }), /`usdPerGb`/u]
  ])("with %s is refused with a sentence", (_what, json, words) => {
    const message = Result.getOrThrow(Result.flip(readRoutes(json)));
    assert.match(message, words);
    assert.notInclude(message, "s3cret");
    assert.notInclude(message, "\n");
  });
});
