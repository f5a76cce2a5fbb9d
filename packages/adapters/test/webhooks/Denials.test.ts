/**
 * Each outgoing path with each blocked address: refused, never reached, reported without an internal address,
 * logged and counted.
 */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { readFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Metric from "effect/Metric";
import * as References from "effect/References";
import { deniedConnections, Egress, type RefusalReason, vetUrl } from "@winnow/isolation/network/index";
import * as GuardedWebhooks from "../../src/webhooks/GuardedWebhooks.ts";
import { until } from "../sources/harness.ts";
import { type BlockedUrl, BLOCKED_URLS } from "@winnow/isolation/test/network/blockedUrls";
import { routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { authorizationOf, connectVia, writeRaw } from "@winnow/isolation/test/network/ProxyClient";

interface CollectedCase extends BlockedUrl {
  readonly expected_page: "public" | "blocked";
}

const { cases } = JSON.parse(
  readFileSync(new URL("../../../isolation/test/network/ssrf-cases.json", import.meta.url), "utf8")
) as {
  readonly cases: ReadonlyArray<CollectedCase>;
};

const BLOCKED: ReadonlyArray<BlockedUrl> = [
  ...cases.filter(({ expected_page }) => expected_page === "blocked"),
  ...BLOCKED_URLS
];

const REASONS: ReadonlyArray<RefusalReason> = [
  "invalid_url",
  "scheme",
  "credentials",
  "host_name",
  "port",
  "address"
];

const counted = Effect.map(
  Effect.forEach(REASONS, (reason) => Metric.value(Metric.withAttributes(deniedConnections, { reason }))),
  (states) => states.reduce((sum, { count }) => sum + Number(count), 0)
);

/** Both outgoing paths with a configurable resolver, and the lines they log. */
const makeScene = Effect.gen(function* () {
  let answers: ReadonlyArray<string> = [];
  const lines: Array<string> = [];
  const site = yield* serve(
    routes({
      "/to": (request, response) => {
        const location = new URL(request.url ?? "", "http://site").searchParams.get("location") ?? "";
        response.writeHead(302, { location: Buffer.from(location, "utf8").toString("latin1") }).end();
      }
    })
  );
  const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]);
  const settings = { allow: [site.authority], resolve: async () => answers };
  const context = yield* Layer.build(
    Layer.fresh(Layer.mergeAll(GuardedEgress.layer(settings), GuardedWebhooks.layer(settings))).pipe(
      Layer.orDie,
      Layer.provide(logger)
    )
  );
  return {
    site,
    egress: Context.get(context, Egress),
    webhooks: Context.get(context, WebhookTransport),
    lines,
    answer: (dns: ReadonlyArray<string>) => (answers = dns),
    logger
  };
});

type Scene = Effect.Success<typeof makeScene>;

const FETCH = { maxBytes: 1_000, timeoutMs: 30_000 };

/** Asserts that the message of a refusal contains no address that was not in the URL. */
const tellsNothing = (told: string, { dns = [], input }: BlockedUrl): void => {
  for (const address of dns) {
    if (address.length > 4 && !input.includes(address)) assert.notInclude(told, address, input);
  }
};

const flipped = <A, E extends { readonly message: string }>(
  attempt: Effect.Effect<A, E>,
  { input }: BlockedUrl
) =>
  attempt.pipe(
    Effect.flip,
    Effect.catch(() => Effect.sync(() => assert.fail(`${input} was reached`)))
  );

/**
 * Runs each case that `applies`; `attempt` returns the reported error. Every denial must cause one log line and
 * one count; a name that does not resolve causes none.
 */
const eachDenied = (
  applies: (blocked: BlockedUrl) => boolean,
  attempt: (scene: Scene, blocked: BlockedUrl) => Effect.Effect<string>,
  profile: "page" | "webhook" = "page"
) =>
  Effect.gen(function* () {
    const scene = yield* makeScene;
    const tried = BLOCKED.filter(applies);
    const before = yield* counted;
    let denied = 0;
    for (const blocked of tried) {
      scene.answer(blocked.dns ?? []);
      const verdict = yield* Effect.promise(() =>
        vetUrl(blocked.input, { profile, resolve: async () => blocked.dns ?? [] })
      );
      assert.isFalse(verdict.ok, blocked.input);
      if (!verdict.ok && verdict.reason !== "unresolvable") denied += 1;
      tellsNothing(yield* attempt(scene, blocked), blocked);
    }
    yield* until(() => scene.lines.length >= denied);
    assert.lengthOf(scene.lines, denied);
    assert.strictEqual((yield* counted) - before, denied);
    return { scene, tried };
  });

/** Whether it is an absolute URL that a `location` header can contain. */
const isAbsolute = ({ input }: BlockedUrl): boolean =>
  // oxlint-disable-next-line no-control-regex -- what no header can hold
  /^[a-z][a-z0-9+.-]*:\/\/[^/]/iu.test(input) && !/[\u0000-\u001f\u007f]/u.test(input) && URL.canParse(input);

/** Whether a request line can contain it. */
const isPlainHttp = ({ input }: BlockedUrl): boolean =>
  /^http:\/\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]+$/u.test(input);

describe(`${BLOCKED.length} blocked addresses`, () => {
  it("are at least 50 more than those collected", () => {
    assert.isAtLeast(BLOCKED_URLS.length, 50);
    assert.strictEqual(new Set(BLOCKED_URLS.map(({ input, why }) => input + why)).size, BLOCKED_URLS.length);
  });

  it.live("are refused to a page fetch", () =>
    eachDenied(
      () => true,
      ({ egress }, blocked) =>
        Effect.map(flipped(egress.fetch(blocked.input, FETCH), blocked), (error) => {
          assert.include(["host_not_public", "unreachable"], error.reason, blocked.input);
          return JSON.stringify(error) + error.message;
        })
    )
  );

  it.live("are refused to a redirect", () =>
    Effect.gen(function* () {
      const { scene, tried } = yield* eachDenied(isAbsolute, ({ egress, site }, blocked) => {
        const url = `${site.url}/to?location=${encodeURIComponent(blocked.input)}`;
        return Effect.map(flipped(egress.fetch(url, FETCH), blocked), (error) => {
          assert.include(["blocked_address", "unreachable"], error.reason, blocked.input);
          return error.message;
        });
      });
      assert.isAtLeast(tried.length, 120);
      assert.lengthOf(scene.site.requests, tried.length);
    })
  );

  it.live("are refused to a child's request: playlists, segments, keys, frames", () =>
    eachDenied(isPlainHttp, ({ egress }, { input }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { denials, url } = yield* egress.openProxy({ budgetBytes: 100_000 });
          const head = `GET ${input} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${authorizationOf(url)}\r\n\r\n`;
          const told = yield* Effect.promise(() => writeRaw(url, head));
          assert.match(told, /^HTTP\/1\.1 (?:403|502) /u, input);
          assert.lengthOf(yield* denials, told.startsWith("HTTP/1.1 403") ? 1 : 0, input);
          return told;
        })
      )
    )
  );

  it.live("are refused to a child's tunnel", () =>
    eachDenied(
      (blocked) =>
        isPlainHttp(blocked) && URL.canParse(blocked.input) && !/^[^/]*\/\/[^/?#]*@/u.test(blocked.input),
      ({ egress }, { input }) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* egress.openProxy({ budgetBytes: 100_000 });
            const { host, hostname, port } = new URL(input);
            const authority = port === "" ? `${hostname}:80` : host;
            const { socket, status } = yield* Effect.promise(() => connectVia(url, authority));
            socket.destroy();
            assert.include([403, 502], status, input);
            return "";
          })
        )
    )
  );

  it.live("are refused to a webhook, when it is registered and when it is sent", () =>
    Effect.gen(function* () {
      const secured = (input: string) => input.replace(/^http:/u, "https:");
      const body = Buffer.from("{}");
      for (const sends of [false, true]) {
        yield* eachDenied(isAbsolute, ({ logger, webhooks }, blocked) => {
          const url = secured(blocked.input);
          const attempt: Effect.Effect<unknown, { readonly message: string }> = sends
            ? webhooks.post({ url, headers: {}, body, answerMaxBytes: 100 })
            : webhooks.vet(url);
          return Effect.map(flipped(Effect.provide(attempt, logger), blocked), ({ message }) => message);
        });
      }
    })
  );
});

describe("the line about a refusal", () => {
  it.live("names the run, for requests of the server and of child programs", () =>
    Effect.gen(function* () {
      const annotations: Array<unknown> = [];
      const logger = Logger.make(({ fiber }) => {
        annotations.push(fiber.getRef(References.CurrentLogAnnotations)["extractionId"]);
      });
      const context = yield* Layer.build(
        Layer.fresh(GuardedEgress.layer({ allow: [] })).pipe(
          Layer.orDie,
          Layer.provide(Logger.layer([logger]))
        )
      );
      const egress = Context.get(context, Egress);
      const fetched = Effect.flip(egress.fetch("http://127.0.0.1/", FETCH));
      const asked = Effect.gen(function* () {
        const { url } = yield* egress.openProxy({ budgetBytes: 100_000 });
        const head = `GET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${authorizationOf(url)}\r\n\r\n`;
        yield* Effect.promise(() => writeRaw(url, head));
      });
      yield* Effect.annotateLogs(fetched, { extractionId: "ext_fetched" });
      yield* Effect.annotateLogs(Effect.scoped(asked), { extractionId: "ext_asked" });
      yield* until(() => annotations.length === 2);
      assert.deepStrictEqual(annotations, ["ext_fetched", "ext_asked"]);
    })
  );
});

describe("a name that changes its answer between check and connection", () => {
  it.live("is reached only at the checked address, in every way", () =>
    Effect.gen(function* () {
      const inside = yield* serve((_request, response) => response.end("secret"));
      const site = yield* serve((_request, response) => response.end("hello"), { address: "127.0.0.2" });
      let lookups = 0;
      const resolve = async () => [lookups++ % 2 === 0 ? "127.0.0.2" : "127.0.0.1"];
      const context = yield* Layer.build(
        Layer.fresh(GuardedEgress.layer({ allow: [site.authority], resolve })).pipe(
          Layer.orDie,
          Layer.provide(Logger.layer([]))
        )
      );
      const egress = Context.get(context, Egress);
      const { url } = yield* egress.openProxy({ budgetBytes: 100_000 });
      const target = (name: string) => `http://${name}.example.org:${site.port}/`;
      const head = (name: string) =>
        `GET ${target(name)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${authorizationOf(url)}\r\n\r\n`;
      const attempts = [
        Effect.asVoid(egress.fetch(target("fetch"), FETCH)),
        Effect.asVoid(Effect.promise(() => writeRaw(url, head("proxy")))),
        Effect.promise(async () => {
          const { socket, status } = await connectVia(url, `tunnel.example.org:${site.port}`);
          socket.destroy();
          assert.strictEqual(status, 200);
        })
      ];
      for (const attempt of attempts) {
        lookups = 0;
        yield* attempt;
        assert.strictEqual(lookups, 1);
      }
      assert.strictEqual(inside.connections(), 0);
      assert.strictEqual(site.connections(), attempts.length);
    })
  );
});
