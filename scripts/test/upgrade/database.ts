/** A throw-away PostgreSQL server: the one of the adapters' tests. */

type Postgres = typeof import("../../../packages/adapters/test/postgres/ThrowAwayPostgres.ts");

/** Imported by URL, because it belongs to another TypeScript project. */
const POSTGRES = new URL("../../../packages/adapters/test/postgres/ThrowAwayPostgres.ts", import.meta.url)
  .href;

export interface Database {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export const startDatabase = async (): Promise<Database> => {
  const { PASSWORD, ROLE, startPostgres } = (await import(POSTGRES)) as Postgres;
  const { port, stop } = await startPostgres();
  return { url: `postgres://${ROLE}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`, stop };
};
