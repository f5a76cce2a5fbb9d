/**
 * Databases on the PostgreSQL server of the test run, which the adapters' tests use too: for servers under test whose
 * database is not the subject. Creating a cluster for each would take longer than starting a server.
 */
import { randomBytes } from "node:crypto";
import { sharedPostgres } from "@winnow/adapters/test/database/store/PostgresBroker";
import { PASSWORD, ROLE, startPostgres } from "@winnow/adapters/test/database/store/ThrowAwayPostgres";
import * as Effect from "effect/Effect";
import { Client } from "pg";

const server = Effect.gen(function* () {
  const shared = yield* Effect.promise(sharedPostgres);
  if (shared !== null) return shared;
  return yield* Effect.acquireRelease(
    Effect.promise(() => startPostgres()),
    ({ stop }) => Effect.promise(stop)
  );
});

const execute = async (url: string, statements: ReadonlyArray<string>): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/**
 * URL of a new, empty database. As in the embedded server, its role owns it and is not a superuser; the password is
 * a secret that the program must not reveal.
 */
export const newDatabase = Effect.gen(function* () {
  const { port } = yield* server;
  const name = `served_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(24).toString("base64url");
  const at = (role: string, secret: string, database: string) =>
    `postgres://${role}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${database}`;
  yield* Effect.promise(() =>
    execute(at(ROLE, PASSWORD, "postgres"), [
      `create role ${name} login createdb password '${password}'`,
      `create database ${name} owner ${name} template template0`
    ])
  );
  return at(name, password, name);
});
