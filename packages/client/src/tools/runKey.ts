/**
 * Which run a call is: the same arguments within the hour are the same run, paid once, however often the call is
 * cut off, sent again or sent twice at once.
 */

const HOUR_MS = 3_600_000;

/** Of the calls that a process remembers: beyond it, the hour of the clock decides. */
const REMEMBERED_MAX = 1_000;

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
};

const digestOf = async (value: unknown): Promise<string> => {
  const bytes = new TextEncoder().encode(JSON.stringify(sorted(value)));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

interface Remembered {
  readonly key: string;
  readonly atMs: number;
}

export interface RunKey {
  readonly key: string;
  /** The key of one more try, after a run that failed and was refunded. */
  readonly after: (extractionId: string) => Promise<RunKey>;
}

/** When an earlier submit under a key made its run, in Unix milliseconds; null where none did. */
export type SubmittedAt = (key: string) => Promise<number | null>;

/**
 * One for each account and process. Across processes the hour of the clock makes keys the same, and where it has
 * just turned, whoever submitted under the key of the hour before is asked for.
 */
export class RunKeys {
  private readonly remembered = new Map<string, Remembered>();

  /** `body` is what will be submitted, and the scope whose it is. */
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
