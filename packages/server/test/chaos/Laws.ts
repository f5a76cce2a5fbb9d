/** The invariants that must hold at the end, checked in the database. */
import { Client } from "pg";

/** Each row returned by a query is a violation. */
const LAWS: Readonly<Record<string, string>> = {
  "the ledger does not sum up to the balance": `select a.id, a.balance, sum(l.credits) as ledger
    from winnow.account a join winnow.ledger l on l.account_id = a.id
    group by a.id having a.balance <> sum(l.credits)`,
  "a balance was below 0": "select id from winnow.ledger where balance_after < 0",
  "slots and live runs differ": `select a.id, a.slots_used from winnow.account a where a.slots_used <>
    (select count(*) from winnow.extraction e where e.account_id = a.id and e.status in ('pending', 'running'))`,
  "a run was debited twice, or not at all": `select e.id from winnow.extraction e where e.credits_debited > 0
    and e.batch_id is null and
    (select count(*) from winnow.ledger l where l.extraction_id = e.id and l.kind = 'debit') <> 1`,
  "a debit has no run": `select l.id from winnow.ledger l where l.kind = 'debit'
    and not exists (select 1 from winnow.extraction e where e.id = l.extraction_id or e.batch_id = l.batch_id)`,
  "the items of a batch are not what it debited and refunded": `select b.id from winnow.batch b where
    (select sum(-l.credits) from winnow.ledger l where l.batch_id = b.id) <> (b.document ->> 'creditsDebited')::bigint
    or (select (coalesce(sum(e.credits_debited), 0), coalesce(sum(e.credits_refunded), 0))
      from winnow.extraction e where e.batch_id = b.id) <>
      ((b.document ->> 'creditsDebited')::numeric, (b.document ->> 'creditsRefunded')::numeric)`,
  "a batch counts other items than it has": `select b.id from winnow.batch b where
    (select (count(*) filter (where e.status = 'complete'), count(*) filter (where e.status = 'failed'), count(*))
      from winnow.batch_item i left join winnow.extraction e on e.id = i.extraction_id where i.batch_id = b.id) <>
    ((b.document ->> 'complete')::bigint, (b.document ->> 'failed')::bigint, (b.document ->> 'total')::bigint)`,
  "an item ended and its batch did not": `select b.id from winnow.batch b where b.completed_at_ms is null
    and not exists (select 1 from winnow.extraction e where e.batch_id = b.id and e.status not in ('complete', 'failed'))`,
  "a refund is not what the run says": `select e.id from winnow.extraction e where e.credits_refunded <>
    coalesce((select sum(l.credits) from winnow.ledger l where l.extraction_id = e.id and l.kind = 'refund'), 0)`,
  "a failed run is not refunded": `select id from winnow.extraction
    where status = 'failed' and credits_refunded <> credits_debited`,
  "a live run has no job": `select e.id from winnow.extraction e where e.status in ('pending', 'running')
    and not exists (select 1 from winnow.job j where j.extraction_id = e.id)`
};

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly message: string | null;
  readonly attempt: number;
  readonly isReused: boolean;
}

const RUNS = `select id, status, failure ->> 'reason' as reason, failure ->> 'message' as message, attempt,
  cached_from is not null as "isReused" from winnow.extraction`;

const LIVE =
  "select count(*)::integer as live from winnow.extraction where status not in ('complete', 'failed')";

const NAMED = `select distinct (e.result -> 'artifactOwner' ->> 'extractionId') || '/' ||
    (e.result -> 'artifactOwner' ->> 'attempt') || '/' || (a ->> 'name') as name
  from winnow.extraction e, json_array_elements(e.result -> 'artifacts') a where e.status = 'complete'`;

/** Connections of Winnow's processes only. */
const CUT = `select count(pg_terminate_backend(pid))::integer as cut from pg_stat_activity
  where application_name like 'winnow%' and pid <> pg_backend_pid()`;

/** The database during the faults: one connection per query, because it may be unavailable. */
export class ChaosDatabase {
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async ask<Row extends object>(statement: string): Promise<ReadonlyArray<Row>> {
    const client = new Client({ connectionString: this.url, application_name: "chaos" });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Runs that have not ended. */
  async live(): Promise<number> {
    return (await this.ask<{ live: number }>(LIVE))[0]?.live ?? 0;
  }

  async cut(): Promise<number> {
    return (await this.ask<{ cut: number }>(CUT))[0]?.cut ?? 0;
  }

  runs(): Promise<ReadonlyArray<Ended>> {
    return this.ask<Ended>(RUNS);
  }

  /** Files named by results: `extraction/attempt/name`. */
  async named(): Promise<ReadonlySet<string>> {
    return new Set((await this.ask<{ name: string }>(NAMED)).map(({ name }) => name));
  }

  /** One sentence per violation. */
  async brokenLaws(): Promise<ReadonlyArray<string>> {
    const found: Array<string> = [];
    for (const [law, statement] of Object.entries(LAWS)) {
      const rows = await this.ask(statement);
      if (rows.length > 0) found.push(`${law}: ${JSON.stringify(rows.slice(0, 3))}`);
    }
    return found;
  }
}
