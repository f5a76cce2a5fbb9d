/**
 * Sessions of MCP revisions before 2026-07-28, which the transport would keep forever: limits their number and idle
 * time, and records their accounts.
 */

/** Hosts open one per window; the least recently used one ends first. */
export const SESSIONS_PER_ACCOUNT_MAX = 50;
/** Per process: each takes a few hundred bytes. */
export const SESSIONS_MAX = 2_000;
/** Without a request. */
export const SESSION_IDLE_MS = 3_600_000;

interface McpSession {
  readonly accountId: string;
  readonly usedAtMs: number;
}

const firstOf = <A>(items: Iterable<A>): A | undefined => items[Symbol.iterator]().next().value;

export class McpSessions {
  /** Least recently used first, as for each account. */
  readonly #sessions = new Map<string, McpSession>();
  readonly #own = new Map<string, Set<string>>();

  get count(): number {
    return this.#sessions.size;
  }

  /** False for a session of another account, which is treated as unknown. Counts as a use. */
  use(id: string, accountId: string, nowMs: number): boolean {
    if (this.#sessions.get(id)?.accountId !== accountId) return false;
    this.close(id);
    this.#add(id, { accountId, usedAtMs: nowMs });
    return true;
  }

  /** Returns the sessions that must end for the new one. */
  open(id: string, accountId: string, nowMs: number): ReadonlyArray<string> {
    const own = this.#add(id, { accountId, usedAtMs: nowMs });
    const surplus = [
      ...(own.size > SESSIONS_PER_ACCOUNT_MAX ? [firstOf(own)] : []),
      ...(this.count > SESSIONS_MAX ? [firstOf(this.#sessions.keys())] : [])
    ].filter((each) => each !== undefined);
    for (const each of surplus) this.close(each);
    return surplus;
  }

  /** Returns and removes sessions that have been idle for too long. */
  expire(nowMs: number): ReadonlyArray<string> {
    const idle = [...this.#sessions].filter(([, { usedAtMs }]) => nowMs - usedAtMs >= SESSION_IDLE_MS);
    for (const [id] of idle) this.close(id);
    return idle.map(([id]) => id);
  }

  close(id: string): void {
    const accountId = this.#sessions.get(id)?.accountId ?? "";
    this.#sessions.delete(id);
    const own = this.#own.get(accountId);
    own?.delete(id);
    if (own?.size === 0) this.#own.delete(accountId);
  }

  #add(id: string, session: McpSession): ReadonlySet<string> {
    const own = this.#own.get(session.accountId) ?? new Set();
    this.#own.set(session.accountId, own.add(id));
    this.#sessions.set(id, session);
    return own;
  }
}
