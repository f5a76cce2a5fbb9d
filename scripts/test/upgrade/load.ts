/** What clients do while processes are replaced: submit under a key, again until it is answered, and read. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const SENTENCE = "A sieve separates what is coarse from what is fine, and has done so for a very long time. ";

/** Pages, a different one for each path, whose answers can be held back. */
export const startSite = async () => {
  let queued: Array<() => void> | null = null;
  const server: Server = createServer((request, response) => {
    const answer = () => {
      const page = `<!doctype html><html lang="en"><title>Sieve ${request.url}</title><article><h1>Sieve</h1><p>${SENTENCE.repeat(20)}</p></article></html>`;
      response.setHeader("content-type", "text/html").end(page);
    };
    if (queued === null) answer();
    else queued.push(answer);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => void (queued ??= []),
    /** How many wait for an answer. */
    waiting: () => queued?.length ?? 0,
    release: () => {
      for (const answer of queued ?? []) answer();
      queued = null;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    }
  };
};

export interface Load {
  /** Addresses of the processes that answer now; the load goes round them. */
  readonly addresses: Set<string>;
  /** Id of the extraction by the key that it was submitted under. */
  readonly submitted: ReadonlyMap<string, string>;
  /** Answers that no client should see, in words. */
  readonly faults: ReadonlyArray<string>;
  /** Resolves when so many more were submitted. */
  readonly more: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const CLIENTS = 4;

/** Between two submits of a client, and before what was answered 503 is tried again. */
const PAUSE_MS = 150;

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));

export const startLoad = (apiKey: string, siteUrl: string): Load => {
  const addresses = new Set<string>();
  const submitted = new Map<string, string>();
  const faults: Array<string> = [];
  const aborted = new AbortController();
  let turn = 0;
  const next = (): string | undefined => [...addresses][turn++ % Math.max(1, addresses.size)];
  const ask = async (path: string, init: RequestInit): Promise<any> => {
    for (;;) {
      const address = next();
      // Null: the process went away, or is on its way; the client asks another one.
      const answer = address === undefined ? null : await fetch(`${address}${path}`, init).catch(() => null);
      if (answer !== null && answer.ok) return answer.json().catch(() => null);
      if (answer !== null && answer.status !== 503)
        faults.push(`${init.method} ${path}: ${answer.status} ${await answer.text()}`);
      if (aborted.signal.aborted) return null;
      await pause();
    }
  };
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  const client = async (number: number): Promise<void> => {
    for (let index = 0; !aborted.signal.aborted; index += 1) {
      const key = `client ${number} run ${index}`;
      const body = JSON.stringify({ url: `${siteUrl}/${number}/${index}` });
      const keyed = { ...headers, "idempotency-key": key };
      const made = await ask("/v1/extractions", { method: "POST", headers: keyed, body });
      if (made === null) continue;
      submitted.set(key, made.id);
      const read = await ask(`/v1/extractions/${made.id}`, { method: "GET", headers });
      if (read !== null && read.id !== made.id) faults.push(`${made.id} was read as ${read.id}`);
      await pause();
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  const more = async (count: number): Promise<void> => {
    const targetCount = submitted.size + count;
    while (submitted.size < targetCount) await pause();
  };
  const stop = async (): Promise<void> => {
    aborted.abort();
    await Promise.all(clients);
  };
  return { addresses, submitted, faults, more, stop };
};
