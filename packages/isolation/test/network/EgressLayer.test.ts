import * as GuardedEgress from "../../src/network/GuardedEgress.ts";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Metric from "effect/Metric";
import { authorityFiles, programEnvironment } from "../../src/process/ProgramEnvironment.ts";
import { deniedConnections, Egress, type EgressSettings } from "../../src/network/index.ts";
import { until } from "../until.ts";
import { viaProxy } from "./ProxyClient.ts";

const settingsError = (settings: EgressSettings) =>
  Effect.flip(Effect.scoped(Layer.build(GuardedEgress.layer(settings))));

describe("the layer", () => {
  it.live("rejects invalid settings by name", () =>
    Effect.gen(function* () {
      const allow = yield* settingsError({ allow: ["10.0.0.0/8", "*.corp"] });
      assert.deepInclude(allow, { setting: "allow", entry: "*.corp" });
      const upstream = yield* settingsError({ allow: [], upstreamProxy: "ftp://proxy" });
      assert.deepInclude(upstream, { setting: "upstreamProxy" });
    })
  );

  it.live("logs and counts each refusal", () =>
    Effect.gen(function* () {
      const logged: Array<unknown> = [];
      const logger = Logger.make(({ message, logLevel, fiber }) => {
        logged.push([logLevel, message, fiber]);
      });
      const counter = Metric.withAttributes(deniedConnections, { reason: "address" });
      const before = yield* Metric.value(counter);
      yield* Effect.gen(function* () {
        const egress = yield* Egress;
        yield* Effect.exit(egress.fetch("http://10.0.0.1/", { maxBytes: 1, timeoutMs: 30_000 }));
        const { url } = yield* egress.openProxy({ budgetBytes: 1_000_000 });
        yield* Effect.promise(() => viaProxy(url, "http://10.0.0.1/"));
      }).pipe(
        Effect.scoped,
        Effect.provide(
          GuardedEgress.layer({ allow: [] }).pipe(Layer.provide(Logger.layer([logger])), Layer.fresh)
        )
      );
      yield* until(() => logged.length >= 2);
      assert.lengthOf(logged, 2);
      assert.strictEqual((yield* Metric.value(counter)).count, Number(before.count) + 2);
    })
  );
});

describe("the environment of a child", () => {
  it("has the proxy and nothing from the server's environment", () => {
    const proxyUrl = "http://user:password@127.0.0.1:1";
    const environment = programEnvironment({ proxyUrl, folder: "/run/home", path: "/usr/bin" });
    const others = Object.entries(environment).filter(([name]) => !name.startsWith("PYTHON"));
    assert.deepStrictEqual(Object.fromEntries(others), {
      PATH: "/usr/bin",
      HOME: "/run/home",
      TMPDIR: "/run/home",
      LANG: "C.UTF-8",
      http_proxy: proxyUrl,
      https_proxy: proxyUrl,
      all_proxy: proxyUrl,
      HTTP_PROXY: proxyUrl,
      HTTPS_PROXY: proxyUrl,
      ...authorityFiles()
    });
  });
});
