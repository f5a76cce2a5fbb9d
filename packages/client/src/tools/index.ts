/**
 * `@winnow/client/tools`: Winnow's tools for a model, for whoever calls it without MCP. Plain objects that fit the
 * tool calling of the Vercel AI SDK, OpenAI and Anthropic.
 */
import type { Winnow } from "../Winnow.ts";
import type { ToolAnswer } from "./answer.ts";
import { clientSource } from "./clientSource.ts";
import {
  INSTRUCTIONS,
  MAX_CREDITS_DEFAULT,
  TOOL_DEFINITIONS,
  type ToolDefinition,
  type ToolInputSchema,
  type ToolName
} from "./definitions.ts";
import type { ToolProgress } from "./progress.ts";
import { PROMPTS } from "./prompts.ts";
import { readResource, RESOURCES, RESOURCE_TEMPLATES } from "./resources.ts";
import { RunKeys } from "./runKey.ts";
import { errorText } from "./toolError.ts";
import { callTool } from "./tools.ts";

export type { ToolAnswer, ToolContent } from "./answer.ts";
export type { ToolCall } from "./toolCall.ts";
export type { ToolFile, ToolSource, ToolSubmitted } from "./toolSource.ts";
export type { PromptDefinition } from "./prompts.ts";
export type { ResourceContents } from "./resources.ts";
export type { ToolDefinition, ToolInputSchema, ToolName, ToolProgress };
export {
  callTool,
  errorText,
  INSTRUCTIONS,
  MAX_CREDITS_DEFAULT,
  PROMPTS,
  readResource,
  RESOURCE_TEMPLATES,
  RESOURCES,
  RunKeys,
  TOOL_DEFINITIONS
};

export interface ToolsOptions {
  /** What a call of `extract` may cost where it names no `maxCredits`, in credits. Default 500. */
  readonly maxCredits?: number | undefined;
  /** Leaves the others out, in the order of the list. */
  readonly only?: ReadonlyArray<ToolName> | undefined;
}

export interface ExecuteOptions {
  /** Ends the call, and with it a wait; never a run. */
  readonly signal?: AbortSignal | undefined;
  /** The same, as the Vercel AI SDK calls it. */
  readonly abortSignal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

export interface Tool {
  readonly name: ToolName;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: ToolInputSchema;
  /**
   * What goes to the model, as text; errors are text too, with what to do. Rejects only when `signal` is aborted.
   */
  readonly execute: (input: unknown, options?: ExecuteOptions) => Promise<string>;
  /** The same with the facts as an object and pictures. */
  readonly call: (input: unknown, options?: ExecuteOptions) => Promise<ToolAnswer>;
}

const textOf = ({ content }: ToolAnswer): string =>
  content
    // The text names the files already.
    .filter((part) => part.type !== "resource_link")
    .map((part) => (part.type === "text" ? part.text : `(a picture, ${part.mimeType})`))
    .join("\n");

const never = new AbortController().signal;

/** The tools of one account. Keep them: they remember which calls were the same. */
export const winnowTools = (winnow: Winnow, options: ToolsOptions = {}): ReadonlyArray<Tool> => {
  const shared = {
    source: clientSource(winnow),
    maxCredits: options.maxCredits ?? MAX_CREDITS_DEFAULT,
    keys: new RunKeys(),
    scope: ""
  };
  const chosen = TOOL_DEFINITIONS.filter(({ name }) => options.only?.includes(name) ?? true);
  return chosen.map(({ name, description, inputSchema }) => {
    const call: Tool["call"] = (input, { signal, abortSignal, onProgress = () => undefined } = {}) =>
      callTool(name, input, { ...shared, signal: signal ?? abortSignal ?? never, onProgress });
    return {
      name,
      description,
      // A copy: libraries write into what they are given.
      inputSchema: structuredClone(inputSchema),
      call,
      execute: async (input, given) => textOf(await call(input, given))
    };
  });
};
