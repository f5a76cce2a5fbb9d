var __rewriteRelativeImportExtension =
  (this && this.__rewriteRelativeImportExtension) ||
  function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
      return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
        return tsx
          ? preserveJsx
            ? ".jsx"
            : ".js"
          : d && (!ext || !cm)
            ? m
            : d + ext + "." + cm.toLowerCase() + "js";
      });
    }
    return path;
  };
/**
 * Databases on the PostgreSQL server of the test run, which the adapters' tests use too: for servers under test whose
 * database is not the subject. Creating a cluster for each would take longer than starting a server.
 */
import { randomBytes } from "node:crypto";
import * as Effect from "effect/Effect";
import { Client } from "pg";
/** Imported by URL, because it belongs to another TypeScript project. */
const read = async (file) =>
  await import(
    __rewriteRelativeImportExtension(
      new URL(`../../adapters/test/database/store/${file}`, import.meta.url).href
    )
  );
const server = Effect.gen(function* () {
  const { sharedPostgres } = yield* Effect.promise(() => read("PostgresBroker.ts"));
  const shared = yield* Effect.promise(sharedPostgres);
  if (shared !== null) return shared;
  const { startPostgres } = yield* Effect.promise(() => read("ThrowAwayPostgres.ts"));
  return yield* Effect.acquireRelease(
    Effect.promise(() => startPostgres()),
    ({ stop }) => Effect.promise(stop)
  );
});
const execute = async (url, statements) => {
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
  const { ROLE, PASSWORD } = yield* Effect.promise(() => read("ThrowAwayPostgres.ts"));
  const name = `served_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(24).toString("base64url");
  const at = (role, secret, database) =>
    `postgres://${role}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${database}`;
  yield* Effect.promise(() =>
    execute(at(ROLE, PASSWORD, "postgres"), [
      `create role ${name} login createdb password '${password}'`,
      `create database ${name} owner ${name} template template0`
    ])
  );
  return at(name, password, name);
});
