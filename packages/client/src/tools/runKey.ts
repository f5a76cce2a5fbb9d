/**
 * Idempotency keys of tool calls: calls with the same arguments within an hour share one run, charged once,
 * even if a call is interrupted, retried or sent twice at once. Tests: waiting.test.ts.
 */
import { hexOf } from "../core/idempotencyKey.ts";

const HOUR_MS = 3_600_000;

/** Maximum number of calls that a process remembers. The keys of others only depend on the current clock hour. */
const REMEMBERED_MAX = 1_000;

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
};

const digestOf = async (value: unknown): Promise<string> => {
  const bytes = new TextEncoder().encode(JSON.stringify(sorted(value)));
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
};

interface Remembered {
  readonly key: string;
  readonly atMs: number;
}

interface RunKey {
  readonly key: string;
  /** The key for another try after a run that failed and was refunded. */
  readonly after: (extractionId: string) => Promise<RunKey>;
}

/** When an earlier submit with a key created its run, in Unix milliseconds; null if none did. */
type SubmittedAt = (key: string) => Promise<number | null>;

/**
 * One per account and process. Processes agree on keys by the current hour; after it has changed, an earlier
 * submit with the previous hour's key is looked up too.
 */
export class RunKeys {
  private readonly remembered = new Map<string, Remembered>();

  /** `body` is the request body; `scope` is the account. */
  async of(scope: string, body: object, nowMs: number, submittedAt: SubmittedAt): Promise<RunKey> {
    const digest = await digestOf([scope, body]);
    const known = this.remembered.get(digest);
    if (known !== undefined && nowMs - known.atMs < HOUR_MS) return this.keyOf(digest, known);
    const hour = Math.floor(nowMs / HOUR_MS);
    const before = `mcp-${digest}-${hour - 1}`;
    const atMs = await submittedAt(before);
    const isSame = atMs !== null && nowMs - atMs < HOUR_MS;
    return this.remember(
      digest,
      isSame ? { key: before, atMs } : { key: `mcp-${digest}-${hour}`, atMs: nowMs }
    );
  }

  private remember(digest: string, entry: Remembered): RunKey {
    this.remembered.delete(digest);
    this.remembered.set(digest, entry);
    const oldest = this.remembered.size > REMEMBERED_MAX ? this.remembered.keys().next().value : undefined;
    if (oldest !== undefined) this.remembered.delete(oldest);
    return this.keyOf(digest, entry);
  }

  private keyOf(digest: string, { key, atMs }: Remembered): RunKey {
    return {
      key,
      after: async (extractionId) =>
        this.remember(digest, { key: `mcp-${await digestOf([key, extractionId])}`, atMs })
    };
  }
}
