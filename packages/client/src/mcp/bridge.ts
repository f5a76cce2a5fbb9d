/**
 * MCP over standard input and output, for hosts that start local programs. Each line of input becomes a POST
 * to the server's `/mcp`, and each event of the response a line of output. The tools themselves are the
 * server's.
 */
import { EventParser } from "../core/sse.ts";
import { delay } from "../core/retry.ts";

export interface BridgeOptions {
  /** Address of the server, without `/mcp`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  /** Writes a line to the host. */
  readonly say: (line: string) => void;
  /** Writes a log line. */
  readonly warn: (line: string) => void;
}

/** The fields of a JSON-RPC 2.0 message that the bridge reads. */
interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly requestId?: string | number;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const VERSION_META = "io.modelcontextprotocol/protocolVersion";

/** Delays between retries while the server is unreachable: a restart takes a few seconds. */
const RETRY_DELAYS_MS: ReadonlyArray<number> = [500, 2_000, 4_000];

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** Revision 2026-07-28, "Standard request headers": anything other than visible ASCII is base64-encoded. */
const headerValue = (text: string): string => {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(text)) return text;
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return `=?base64?${btoa(bytes)}?=`;
};

/** The response ended before the expected message. */
class CutOff extends Error {}

/** The session does not exist any more: the server was restarted, or the session was idle for too long. */
class SessionGone extends Error {}

const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
};

export class Bridge {
  private readonly options: BridgeOptions;
  /** Requests in flight, by id. */
  private readonly open = new Map<string | number, AbortController>();
  private session: string | null = null;
  private version: string | null = null;
  /** The `initialize` message, to open a new session after the old one is gone. */
  private initialize: string | null = null;
  private reopening: Promise<void> | null = null;

  constructor(options: BridgeOptions) {
    this.options = options;
  }

  /** Resolves when the responses to the line have been written. Never rejects. */
  async take(line: string): Promise<void> {
    if (line.trim() === "") return;
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      this.fail(null, PARSE_ERROR, "This line is not JSON.");
      return;
    }
    const { id, method } = message;
    if (method === "notifications/cancelled") this.open.get(message.params?.requestId ?? "")?.abort();
    const ended = new AbortController();
    if (id !== undefined && id !== null) this.open.set(id, ended);
    try {
      await this.deliver(line, message, ended.signal);
    } catch (error) {
      if (ended.signal.aborted) return;
      this.options.warn(messageOf(error));
      if (id !== undefined) this.fail(id, SERVER_ERROR, messageOf(error));
    } finally {
      if (id !== undefined && id !== null) this.open.delete(id);
    }
  }

  /** Ends the session, if there is one. */
  async close(): Promise<void> {
    if (this.session === null) return;
    await this.request("DELETE", null, {}, null).catch(() => undefined);
  }

  private fail(id: string | number | null, code: number, message: string): void {
    this.options.say(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
  }

  /** Retries requests that got no response: repeating a tool call is safe, since it is charged once. */
  private async deliver(line: string, message: Message, signal: AbortSignal): Promise<void> {
    if (message.method === "initialize") {
      [this.initialize, this.session, this.version] = [line, null, null];
    }
    for (let tries = 0; ; tries += 1) {
      try {
        await this.post(line, message, signal);
        return;
      } catch (error) {
        const delayMs = RETRY_DELAYS_MS[tries];
        if (signal.aborted || delayMs === undefined) throw error;
        if (error instanceof SessionGone) {
          this.reopening ??= this.reopen().finally(() => (this.reopening = null));
          await this.reopening;
        } else {
          if (!(error instanceof TypeError || error instanceof CutOff)) throw error;
          await delay(delayMs, signal);
        }
      }
    }
  }

  /** Transparent to the host, whose session continues. */
  private async reopen(): Promise<void> {
    const { initialize } = this;
    if (initialize === null) throw new Error("The server has no session; initialize first.");
    [this.session, this.version] = [null, null];
    const response = await this.request("POST", initialize, JSON.parse(initialize) as Message, null);
    await this.read(response, () => undefined);
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    await (await this.request("POST", JSON.stringify(initialized), initialized, null)).text();
  }

  private async post(line: string, message: Message, signal: AbortSignal): Promise<void> {
    const response = await this.request("POST", line, message, signal);
    const expectsResponse = message.method !== undefined && message.id !== undefined;
    const hasResponded = await this.read(response, this.options.say);
    if (hasResponded || !expectsResponse) return;
    if (response.ok) {
      throw new CutOff("The connection to Winnow was lost. Call again: the same call is charged once.");
    }
    throw new Error(`Winnow responded with status ${response.status}.`);
  }

  private async request(
    method: "POST" | "DELETE",
    body: string | null,
    message: Message,
    signal: AbortSignal | null
  ): Promise<Response> {
    const { baseUrl, apiKey } = this.options;
    const { params } = message;
    const requestedVersion = params?._meta?.[VERSION_META];
    const version = typeof requestedVersion === "string" ? requestedVersion : this.version;
    const name = params?.name ?? params?.uri;
    const response = await this.options.fetch(`${baseUrl}/mcp`, {
      method,
      body,
      signal,
      redirect: "error",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${apiKey}`,
        ...(message.method === undefined ? {} : { "mcp-method": message.method }),
        ...(name === undefined ? {} : { "mcp-name": headerValue(name) }),
        ...(this.session === null ? {} : { "mcp-session-id": this.session }),
        ...(version === null ? {} : { "mcp-protocol-version": version })
      }
    });
    if (response.status === 404 && this.session !== null) {
      await response.body?.cancel();
      throw new SessionGone("The session no longer exists on the server.");
    }
    this.session = response.headers.get("mcp-session-id") ?? this.session;
    if (response.headers.has("mcp-session-id")) {
      this.version = response.headers.get("mcp-protocol-version") ?? this.version;
    }
    return response;
  }

  /** Returns whether the response contained an answer to a request. Throws the message of an API error. */
  private async read(response: Response, say: (line: string) => void): Promise<boolean> {
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream") && response.body !== null)
      return this.stream(response.body, say);
    const text = await response.text();
    if (text === "") return false;
    const body = JSON.parse(text) as {
      readonly jsonrpc?: string;
      readonly result?: { readonly protocolVersion?: string };
      readonly error?: { readonly message?: string };
    };
    if (body.jsonrpc === undefined)
      throw new Error(body.error?.message ?? `Winnow responded with status ${response.status}.`);
    if (this.session !== null) this.version ??= body.result?.protocolVersion ?? null;
    say(text.trimEnd());
    return true;
  }

  private async stream(body: ReadableStream<Uint8Array>, say: (line: string) => void): Promise<boolean> {
    const parser = new EventParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    let hasResponded = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return hasResponded;
      for (const { data } of parser.push(decoder.decode(value, { stream: true }))) {
        say(data);
        hasResponded ||= !("method" in (JSON.parse(data) as object));
      }
    }
  }
}
