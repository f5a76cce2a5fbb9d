// @module-tag smoke: its own servers, whose database stops and starts
/**
 * The real program while its database is unavailable: during its start, and later.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import { makeCall } from "./ApiCall.ts";
import { NO_MEDIA, serverProcess } from "./ServerProcess.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";

/** A proxy between the program and its database: forwards connections, or breaks all of them. */
const makeGate = (target: { readonly host: string; readonly port: number }) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{
          readonly port: number;
          readonly shut: () => void;
          readonly open: () => void;
          readonly server: Server;
          /** Closes all connections and refuses the next ones, this many of them. */
          readonly refuse: (connections: number) => void;
          /** Whether each of the next connections is forwarded. */
          readonly plan: (fates: ReadonlyArray<boolean>) => void;
        }>((resolve) => {
          const sockets = new Set<Socket>();
          let refused = 0;
          let planned: ReadonlyArray<boolean> = [];
          const server = createServer((socket) => {
            sockets.add(socket);
            socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
            const [fate = true, ...others] = planned;
            planned = others;
            if (!fate) {
              socket.destroy();
              return;
            }
            if (refused > 0) {
              refused -= 1;
              socket.destroy();
              return;
            }
            const through = connect(target.port, target.host);
            through.on("error", () => socket.destroy()).on("close", () => socket.destroy());
            socket.on("close", () => through.destroy());
            socket.pipe(through).pipe(socket);
          });
          const refuse = (connections: number) => {
            refused = connections;
            for (const socket of sockets) socket.destroy();
          };
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as { port: number };
            const shut = () => refuse(Number.POSITIVE_INFINITY);
            const plan = (fates: ReadonlyArray<boolean>) => void (planned = fates);
            resolve({ port, shut, open: () => void (refused = 0), server, refuse, plan });
          });
        })
    ),
    ({ server, shut }) =>
      Effect.promise(() => {
        shut();
        return new Promise((resolve) => server.close(resolve));
      })
  );

describe("a server with an unavailable database", () => {
  it.live(
    "waits for it at the start, answers 503 without it, and continues when it is back",
    () =>
      Effect.gen(function* () {
        const { url } = yield* EmbeddedPostgres.start({ dataDir: yield* temporaryFolder("outages-db") });
        const address = new URL(Redacted.value(url));
        const gate = yield* makeGate({ host: address.hostname, port: Number(address.port) });
        address.port = String(gate.port);
        gate.refuse(2);
        const server = yield* serverProcess({
          ...NO_MEDIA,
          WINNOW_DATA_DIR: yield* temporaryFolder("outages"),
          WINNOW_PORT: "0",
          WINNOW_DATABASE_URL: address.href,
          WINNOW_ADMIN_TOKEN: "admin-of-outages"
        });
        assert.match(
          server.stderr(),
          /WINNOW_DATABASE_URL: The database does not respond[^"]*Waiting until it is available/u
        );
        assert.notInclude(server.stderr(), address.password);
        const call = makeCall(server.url);
        const ask = call("/admin/v1/accounts", {
          headers: { authorization: "Bearer admin-of-outages" }
        });
        assert.strictEqual((yield* ask).status, 200);
        gate.shut();
        const away = yield* ask;
        assert.deepStrictEqual([away.status, away.json.error.details?.reason], [503, "database_away"]);
        assert.isAbove(Number(away.headers.get("retry-after")), 0);
        assert.strictEqual((yield* call("/readyz")).status, 503);
        gate.open();
        yield* ask.pipe(
          Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: ({ status }) => status === 200 }),
          Effect.timeout("60 seconds")
        );
      }).pipe(Effect.scoped),
    240_000
  );

  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)(
    "waits for it even if it becomes unavailable during the start",
    () =>
      Effect.gen(function* () {
        const { url } = yield* EmbeddedPostgres.start({
          dataDir: yield* temporaryFolder("outages-start-db")
        });
        const address = new URL(Redacted.value(url));
        const gate = yield* makeGate({ host: address.hostname, port: Number(address.port) });
        address.port = String(gate.port);
        // Available for the first check but not afterwards: first for the migrations, then for the queue.
        gate.plan([true, false, true, true, false]);
        const server = yield* serverProcess({
          ...NO_MEDIA,
          WINNOW_DATA_DIR: yield* temporaryFolder("outages-start"),
          WINNOW_PORT: "0",
          WINNOW_DATABASE_URL: address.href,
          WINNOW_ADMIN_TOKEN: "admin-of-outages"
        });
        const headers = { authorization: "Bearer admin-of-outages" };
        assert.strictEqual((yield* makeCall(server.url)("/admin/v1/accounts", { headers })).status, 200);
      }).pipe(Effect.scoped),
    240_000
  );
});
