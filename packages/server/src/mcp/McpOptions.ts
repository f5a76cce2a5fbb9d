/** The operator's settings of the tools. */
export const MCP_PATH = "/mcp";

export interface McpOptions {
  /** Highest price of a call, in credits. */
  readonly maxCredits: number;
  /** Origins whose pages may call. */
  readonly allowedOrigins: ReadonlyArray<string>;
}
