/**
 * The official MCP clients, in each generation that hosts use, connected to a test server.
 */
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as Effect from "effect/Effect";
import { assert } from "vitest";

export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string; readonly data?: string }>;
  readonly structuredContent?: any;
  readonly isError?: boolean;
}

/** What the tests need of a client, of any generation. */
export interface McpClient {
  readonly version: string | undefined;
  readonly tools: () => Promise<ReadonlyArray<any>>;
  readonly call: (
    name: string,
    input?: Record<string, unknown>,
    options?: { readonly onprogress?: (progress: any) => void; readonly signal?: AbortSignal }
  ) => Promise<ToolResult>;
  readonly readResource: (uri: string) => Promise<any>;
  readonly prompt: (name: string, given: Record<string, string>) => Promise<any>;
  readonly complete: (ref: object, argument: string) => Promise<any>;
  readonly close: () => Promise<void>;
}

const INFO = { name: "test", version: "1" };

const requestInit = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

export const wrapped = (client: any, version: () => string | undefined): McpClient => ({
  get version() {
    return version();
  },
  tools: async () => (await client.listTools()).tools,
  call: (name, input = {}, options) =>
    client.constructor === OldClient
      ? client.callTool({ name, arguments: input }, undefined, options)
      : client.callTool({ name, arguments: input }, options),
  readResource: (uri) => client.readResource({ uri }),
  prompt: (name, given) => client.getPrompt({ name, arguments: given }),
  complete: (ref, argument) => client.complete({ ref, argument: { name: argument, value: "a" } }),
  close: () => client.close()
});

const newClient = async (url: string, key: string, options: object): Promise<McpClient> => {
  const client = new NewClient(INFO, options as never);
  await client.connect(new NewTransport(new URL(`${url}/mcp`), requestInit(key)));
  return wrapped(client, () => client.getNegotiatedProtocolVersion());
};

const oldClient = async (url: string, key: string): Promise<McpClient> => {
  const client = new OldClient(INFO);
  const transport = new OldTransport(new URL(`${url}/mcp`), requestInit(key));
  await client.connect(transport as never);
  return wrapped(client, () => transport.protocolVersion);
};

/** By negotiated protocol revision, or by generation of the client. */
export const CLIENTS = {
  "2026-07-28": (url: string, key: string) => newClient(url, key, { versionNegotiation: { mode: "auto" } }),
  "2025-11-25": (url: string, key: string) => newClient(url, key, {}),
  v1: oldClient
} as const;

export type Generation = keyof typeof CLIENTS;

/** The client is closed with the scope. */
export const connect = (generation: Generation, url: string, key: string) =>
  Effect.acquireRelease(
    Effect.promise(() => CLIENTS[generation](url, key)),
    (client) => Effect.promise(() => client.close().catch(() => undefined))
  );

/** The structured content of a result, whose text must have the same values. */
export const factsOf = (answer: ToolResult): any => {
  const text = answer.content[0]?.text ?? "";
  assert.notStrictEqual(answer.isError, true, text);
  for (const [name, value] of Object.entries(answer.structuredContent ?? {})) {
    if (name === "notice") continue;
    assert.include(text, typeof value === "string" ? value : JSON.stringify(value), name);
  }
  return answer.structuredContent;
};

export const errorOf = (answer: ToolResult): string => {
  assert.isTrue(answer.isError);
  assert.strictEqual(answer.content.length, 1);
  return answer.content[0]?.text ?? "";
};

export const ask = (client: McpClient, ...call: Parameters<McpClient["call"]>) =>
  Effect.promise(() => client.call(...call));
