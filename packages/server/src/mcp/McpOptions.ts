/** The operator's settings of the tools. */
export const MCP_PATH = "/mcp";

export interface McpOptions {
  /** Default price limit of a call, in credits. */
  readonly maxCredits: number;
  /** Origins whose pages may call. */
  readonly allowedOrigins: ReadonlyArray<string>;
}
