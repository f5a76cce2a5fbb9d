/**
 * MCP over standard input and output, for hosts that start programs: a line in is a POST to the server's `/mcp`, an
 * event out is a line. It knows no tool: those are the server's.
 */
import { EventParser } from "../eventParser.ts";
import { delay } from "../retry.ts";

export interface BridgeOptions {
  /** Address of the server, without `/mcp`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  /** Takes a line of the host. */
  readonly say: (line: string) => void;
  /** Takes a line for people. */
  readonly warn: (line: string) => void;
}

/** JSON-RPC 2.0, as far as a bridge looks. */
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

/** Pauses between tries while the server cannot be reached: a restart takes a few seconds. */
const RETRY_DELAYS_MS: ReadonlyArray<number> = [500, 2_000, 4_000];

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** Revision 2026-07-28, "Standard request headers": what is not visible ASCII goes as base64. */
const headerValue = (text: string): string => {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(text)) return text;
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return `=?base64?${btoa(bytes)}?=`;
};

/** The answer ended before the message that it owed. */
class CutOff extends Error {}

/** There is no such session, or not any more: the server was started anew, or it was idle for too long. */
class SessionGone extends Error {}

const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
};

export class Bridge {
  private readonly options: BridgeOptions;
  /** Requests under way, by their ids. */
  private readonly open = new Map<string | number, AbortController>();
  private session: string | null = null;
  private version: string | null = null;
  /** What opened the session, to open another when it is gone. */
  private initialize: string | null = null;
  private reopening: Promise<void> | null = null;

  constructor(options: BridgeOptions) {
    this.options = options;
  }

  /** Settles when all that the line asks for was said. Never rejects. */
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

  /** Tries again what was not answered: every tool may be called twice, and is paid once. */
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

  /** The host is told nothing of it: its session goes on. */
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
    const owed = message.method !== undefined && message.id !== undefined;
    const answered = await this.read(response, this.options.say);
    if (answered || !owed) return;
    if (response.ok) {
      throw new CutOff("The connection to Winnow broke off; call again, the same call is paid once.");
    }
    throw new Error(`Winnow answered ${response.status}.`);
  }

  private async request(
    method: "POST" | "DELETE",
    body: string | null,
    message: Message,
    signal: AbortSignal | null
  ): Promise<Response> {
    const { baseUrl, apiKey } = this.options;
    const { params } = message;
    const asked = params?._meta?.[VERSION_META];
    const version = typeof asked === "string" ? asked : this.version;
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
      throw new SessionGone("The server has no such session any more.");
    }
    this.session = response.headers.get("mcp-session-id") ?? this.session;
    if (response.headers.has("mcp-session-id")) {
      this.version = response.headers.get("mcp-protocol-version") ?? this.version;
    }
    return response;
  }

  /** Whether an answer to a request was among what it said. Throws what an envelope of the service says. */
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
      throw new Error(body.error?.message ?? `Winnow answered ${response.status}.`);
    if (this.session !== null) this.version ??= body.result?.protocolVersion ?? null;
    say(text.trimEnd());
    return true;
  }

  private async stream(body: ReadableStream<Uint8Array>, say: (line: string) => void): Promise<boolean> {
    const parser = new EventParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    let answered = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return answered;
      for (const { data } of parser.push(decoder.decode(value, { stream: true }))) {
        say(data);
        answered ||= !("method" in (JSON.parse(data) as object));
      }
    }
  }
}
