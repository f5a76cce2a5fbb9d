/** The tools of a caller: the client's, on this server's own routes, with the caller's key. */
import { Winnow } from "@winnow/client";
import { clientSource, type ToolSource } from "@winnow/client/tools";

interface ToolCaller {
  readonly apiKey: string;
  readonly accountId: string;
  /** The key is the operator's admin token, which acts for the account. */
  readonly isOperator: boolean;
}

/** The server that the tools are part of. */
export interface OwnServer {
  /** Without a network. */
  readonly fetch: typeof globalThis.fetch;
  /** When an earlier submit with this key created its run, in another process too; Unix milliseconds. */
  readonly submittedAtMs: (accountId: string, key: string, signal: AbortSignal) => Promise<number | null>;
  /** Aborted when it stops: waits then end, and their calls return the current state. */
  readonly stopping: AbortSignal;
}

/** Only paths are used. */
const BASE_URL = "http://localhost";

export const callerSource = (caller: ToolCaller, server: OwnServer): ToolSource => {
  const { apiKey, accountId, isOperator } = caller;
  const { fetch, stopping, submittedAtMs } = server;
  const account = isOperator ? accountId : undefined;
  const source = clientSource(new Winnow({ apiKey, account, baseUrl: BASE_URL, fetch, maxRetries: 0 }));
  return {
    ...source,
    submittedAtMs: (key, signal) => submittedAtMs(accountId, key, signal),
    wait: async (id, signal, onProgress) => {
      try {
        return await source.wait(id, AbortSignal.any([signal, stopping]), onProgress);
      } catch (error) {
        if (stopping.aborted) return null;
        throw error;
      }
    }
  };
};
