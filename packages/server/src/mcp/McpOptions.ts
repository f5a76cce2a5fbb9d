/**
 * Where the tools are, and what the operator says about them.
 */
export const MCP_PATH = "/mcp";

export interface McpOptions {
  /** What a call may cost that names no limit, in credits. */
  readonly maxCredits: number;
  /** Pages of these origins may call. */
  readonly allowedOrigins: ReadonlyArray<string>;
}
