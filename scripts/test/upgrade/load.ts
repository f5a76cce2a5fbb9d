/**
 * What clients do while processes are replaced: submit with an idempotency key, retry until there is a
 * response, and read.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const SENTENCE = "A sieve separates what is coarse from what is fine, and has done so for a very long time. ";

/** A site with a different page for each path, whose responses can be held back. */
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
    /** Number of requests that wait for a response. */
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
  /** URLs of the processes that serve requests now; the load is distributed to them in turn. */
  readonly addresses: Set<string>;
  /** Extraction ids by idempotency key. */
  readonly submitted: ReadonlyMap<string, string>;
  /** Descriptions of responses that no client should get. */
  readonly faults: ReadonlyArray<string>;
  /** Resolves when this many more were submitted. */
  readonly more: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const CLIENTS = 4;

/** Between two submits of a client, and before a retry. */
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
      // Null if the process has stopped or is not there any more: the client asks another one.
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
