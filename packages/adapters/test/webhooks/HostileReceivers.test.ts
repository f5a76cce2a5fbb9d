/**
 * Receivers that do everything but answer: the dispatcher survives, nothing internal is requested, and other
 * receivers get their events.
 */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import * as tls from "node:tls";
import { assert, describe, it } from "@effect/vitest";
import { ACKNOWLEDGE_TIMEOUT_MS } from "@winnow/core/engine/webhooks/WebhookAttempt";
import * as WebhookDispatcher from "@winnow/core/engine/webhooks/WebhookDispatcher";
import * as MemoryJobQueue from "@winnow/core/memory/MemoryJobQueue";
import * as MemoryStore from "@winnow/core/memory/MemoryStore";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { openAccount } from "@winnow/testing/samples/StoreSteps";
import { sampleDelivery } from "@winnow/testing/samples/webhookSteps";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import * as GuardedWebhooks from "../../src/webhooks/GuardedWebhooks.ts";
import { HOSTILE_ANSWERS, type HostileAnswer } from "./hostileAnswers.ts";
import { receiver } from "./Receiver.ts";
import { testAuthority, trust, type KeyAndCertificate } from "@winnow/isolation/test/network/TestAuthority";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";

const HOST = "hooks.example.org";
const LOOPBACK = "127.0.0.1";
const DELIVERIES_OF_OTHERS = 40;

/** The real clock, except that the time limit for receivers expires when `patienceEnds` completes. */
const clockUntil = (patienceEnds: Deferred.Deferred<void>) =>
  Effect.map(Clock.Clock, (real): Clock.Clock =>
    Object.assign(Object.create(real), {
      sleep: (duration: Duration.Duration) =>
        Duration.toMillis(duration) === ACKNOWLEDGE_TIMEOUT_MS
          ? Deferred.await(patienceEnds)
          : real.sleep(duration)
    })
  );

/** Answers once the request is complete: its JSON body ends with a brace. */
const onRequest = (socket: Socket, answer: () => void) => {
  let seen = "";
  const look = (chunk: Buffer): void => {
    seen += chunk.toString("latin1");
    if (!seen.endsWith("}")) return;
    socket.off("data", look).resume();
    answer();
  };
  socket.on("data", look);
};

const hostile = (identity: KeyAndCertificate, { answer, isPlain = false }: HostileAnswer, inside: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>();
      const take = (socket: Socket) => {
        sockets.add(socket);
        socket.on("error", () => {});
        if (isPlain) answer(socket.resume(), inside);
        else onRequest(socket, () => answer(socket, inside));
      };
      const server: Server = isPlain ? createServer(take) : tls.createServer(identity, take);
      server.on("tlsClientError", () => {});
      await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
      return { server, sockets, port: (server.address() as AddressInfo).port };
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      })
  );

/** Waits until each delivery was attempted, and returns all of them. */
const attempted = (accountId: string, ids: ReadonlyArray<string>) =>
  WebhookOutbox.use((outbox) =>
    Effect.forEach(ids, (id) => Effect.map(outbox.get(accountId, id), Option.getOrThrow))
  ).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("20 millis"),
      until: (rows) => rows.every(({ attempts }) => attempts.length > 0)
    })
  );

const insert = (accountId: string, port: number, path: string) => {
  const nowMs = Date.now();
  const url = `https://${HOST}:${port}${path}`;
  const delivery = sampleDelivery(accountId, { url, nextAttemptAtMs: nowMs, createdAtMs: nowMs });
  return WebhookOutbox.use((outbox) => Effect.as(outbox.insert(delivery), delivery.id));
};

const isHeld = ({ comesTo }: HostileAnswer): boolean =>
  comesTo instanceof RegExp && comesTo.test("No response within 10 seconds.");

const NAMES = Object.keys(HOSTILE_ANSWERS);

describe(`${NAMES.length} hostile receivers`, () => {
  it.live("delay no one, reach nothing, and each has the expected outcome", () =>
    Effect.gen(function* () {
      const authority = yield* Effect.promise(() => testAuthority());
      const distrust = trust(authority.cert);
      yield* Effect.addFinalizer(() => Effect.sync(distrust));
      const identity = yield* Effect.promise(() => authority.issue([HOST]));
      const inside = yield* serve((_request, response) => response.end("secret"));
      const opened = yield* Effect.forEach(Object.entries(HOSTILE_ANSWERS), ([name, kind]) =>
        Effect.map(hostile(identity, kind, inside.url), ({ port }) => ({ name, kind, port }))
      );
      const well = yield* receiver(identity);
      const allow = [...opened.map(({ port }) => `${LOOPBACK}:${port}`), `${LOOPBACK}:${well.port}`];
      const patienceEnds = yield* Deferred.make<void>();

      yield* Effect.gen(function* () {
        const attacker = yield* openAccount();
        const victim = yield* openAccount();
        const sent = yield* Effect.forEach(opened, ({ port }) => insert(attacker, port, "/hook"));
        const { run, wake } = yield* WebhookDispatcher.WebhookDispatcher;
        yield* run;
        const others = yield* Effect.forEach(Array.from({ length: DELIVERIES_OF_OTHERS }), (_, index) =>
          insert(victim, well.port, `/${index}`)
        );
        yield* wake;
        const delivered = yield* attempted(victim, others);
        assert.deepStrictEqual([...new Set(delivered.map(({ delivery }) => delivery.status))], ["delivered"]);
        assert.lengthOf(well.received, DELIVERIES_OF_OTHERS);

        // Connections whose response never ends stay open meanwhile.
        yield* attempted(
          attacker,
          sent.filter((_, index) => !isHeld(opened[index]!.kind))
        );
        yield* Deferred.succeed(patienceEnds, undefined);
        const rows = yield* attempted(attacker, sent);
        for (const [index, { attempts }] of rows.entries()) {
          const { kind, name } = opened[index]!;
          const { error, responseSnippet, status } = attempts[0]!;
          if (typeof kind.comesTo === "number") assert.strictEqual(status, kind.comesTo, `${name}: ${error}`);
          else {
            assert.isNull(status, name);
            assert.match(error ?? "", kind.comesTo, name);
          }
          assert.notMatch(`${error}${responseSnippet}`, /127\.0\.0\.1|ECONN/u, name);
          assert.isAtMost(Buffer.byteLength(responseSnippet ?? ""), 1_024 * 3, name);
        }
        // The dispatcher still works.
        const later = yield* insert(victim, well.port, "/later");
        yield* wake;
        yield* attempted(victim, [later]);
      }).pipe(
        Effect.scoped,
        Effect.provide(
          WebhookDispatcher.layer.pipe(
            Layer.provideMerge(GuardedWebhooks.layer({ allow, resolve: () => [LOOPBACK] })),
            Layer.provideMerge(Layer.provide(MemoryStore.layer, MemoryJobQueue.layer)),
            Layer.provideMerge(Logger.layer([]))
          )
        ),
        Effect.provideServiceEffect(Clock.Clock, clockUntil(patienceEnds))
      );
      assert.strictEqual(inside.connections(), 0);
    }).pipe(Effect.scoped)
  );
});
