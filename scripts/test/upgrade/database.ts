/** A throw-away PostgreSQL server: the one of the adapters' tests. */

interface Postgres {
  readonly PASSWORD: string;
  readonly ROLE: string;
  readonly startPostgres: () => Promise<{ readonly port: number; readonly stop: () => Promise<void> }>;
}

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
