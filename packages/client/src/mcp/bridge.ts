/**
 * MCP over standard input and output, for hosts that start local programs: each line becomes a POST to the server's
 * `/mcp`, and each message of the response a line. The tools themselves are the server's.
 */
import { WinnowError } from "../core/apiError.ts";
import { ConnectionError } from "../core/errors.ts";
import { attempt, errorOf, retrying, type Transport } from "../core/request.ts";
import { parsed, wholeText } from "../core/body.ts";
import { dataOf } from "../core/sse.ts";

/** The fields of a JSON-RPC 2.0 message that the bridge reads. */
interface Message extends Partial<Record<"jsonrpc" | "id" | "method", unknown>> {
  readonly params?: Partial<Record<"name" | "uri" | "requestId", unknown> & Record<"_meta", Values>>;
}
type Values = Readonly<Record<string, unknown>>;
type Write = (line: string) => void;

const VERSION_META = "io.modelcontextprotocol/protocolVersion";
const POST = { method: "POST", path: "/mcp" } as const;

/** Revision 2026-07-28, "Standard request headers": visible ASCII as it is; "é" is `=?base64?w6k=?=`. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(text)
    ? text
    : `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;

const headersOf = ({ method, params = {} }: Message): Readonly<Record<string, string>> => {
  const [name, version] = [params.name ?? params.uri, params._meta?.[VERSION_META]];
  const all = Object.entries({ "mcp-method": method, "mcp-name": name, "mcp-protocol-version": version });
  const given = all.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([header, value]) => [header, headerValue(String(value))]));
};

/** Handles a line, and resolves when the responses to it have been written; never rejects. */
export const bridgeTo = (transport: Transport, say: Write, warn: Write) => {
  /** Requests in flight, by id. */
  const open = new Map<unknown, AbortController>();
  /** Headers of the session that older revisions have; it outlives the server's process. */
  let session: Readonly<Record<string, string>> = {};

  const post = async (message: Message, signal: AbortSignal): Promise<void> => {
    if (message.method === "initialize") session = {};
    const headers = { accept: "application/json, text/event-stream", ...session, ...headersOf(message) };
    await attempt(transport, { ...POST, body: message, headers, signal }, async (response) => {
      const id = response.headers.get("mcp-session-id");
      const version = response.headers.get("mcp-protocol-version") ?? "";
      if (id !== null) session = { "mcp-session-id": id, "mcp-protocol-version": version };
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      let isAnswered = message.method === undefined || message.id === undefined;
      for await (const text of isStream ? dataOf(response) : [await wholeText(response)]) {
        if (text === "" && response.ok) break;
        const { jsonrpc, method }: Message = text.startsWith("{")
          ? (parsed(text, "The answer was") as Message)
          : {};
        // As a WinnowError, because retries would keep the host waiting.
        if (jsonrpc === undefined)
          throw new WinnowError((await errorOf(new Response(text, response))).message);
        isAnswered ||= method === undefined;
        say(text.trimEnd());
      }
      if (!isAnswered) throw new ConnectionError("The answer is lost. Repeat the call: it is charged once.");
    });
  };

  return async (line: string): Promise<void> => {
    const ended = new AbortController();
    let message: Message = { id: null };
    try {
      message = JSON.parse(line) ?? {};
      if (message.id !== undefined) open.set(message.id, ended);
      if (message.method === "notifications/cancelled") open.get(message.params?.requestId)?.abort();
      // Repeating a tool call is safe: it is charged once.
      await retrying(transport, { ...POST, signal: ended.signal }, () => post(message, ended.signal));
    } catch (cause) {
      if (ended.signal.aborted) return;
      const text = (cause as Error).message;
      warn(text);
      if (message.id === undefined) return;
      const error = { code: cause instanceof SyntaxError ? -32_700 : -32_000, message: text };
      say(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }));
    } finally {
      open.delete(message.id);
    }
  };
};
