/**
 * `@winnow/client/tools`: Winnow's tools for a model, without MCP. Plain objects that fit the tool calling of
 * the Vercel AI SDK, OpenAI and Anthropic. Tests: tools.test.ts.
 */
import { MAX_CREDITS_DEFAULT } from "../generated/remedies.ts";
import { errorAnswer, type ToolAnswer } from "./answer.ts";
import { extractBatch } from "./batchTool.ts";
import {
  TOOL_DEFINITIONS,
  checkInput,
  INSTRUCTIONS,
  type ToolName,
  type ToolInput,
  type ToolDefinition,
  type ToolInputSchema
} from "./definitions.ts";
import { cancelExtraction, extract, getExtraction, quote } from "./extractTool.ts";
import { listExtractions, readFile, readTranscript } from "./readTools.ts";
import { clientSource, type ToolCall } from "./toolSource.ts";
import { CITED_CHARS_MAX } from "../core/itemPath.ts";
import { CEILING_WORDS, ToolError, errorText } from "./toolError.ts";
import type { Winnow } from "../winnow.ts";
import type { ToolProgress } from "./progress.ts";
import { PROMPTS } from "./prompts.ts";
import { readResource, RESOURCES, RESOURCE_TEMPLATES } from "./resources.ts";
import { RunKeys } from "./runKey.ts";

export type { ToolAnswer, ToolContent } from "./answer.ts";
export type { ToolCall, ToolFile, ToolSource, ToolSubmitted } from "./toolSource.ts";
export type { PromptDefinition } from "./prompts.ts";
export type { ResourceContents } from "./resources.ts";
export type { ToolDefinition, ToolInputSchema, ToolName, ToolProgress };
export {
  callTool,
  clientSource,
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

/** A model must not raise the limit that the operator set. */
const checkLimit = ({ maxCredits }: ToolInput, ceiling: number): void => {
  if (maxCredits === undefined || maxCredits <= ceiling) return;
  throw new ToolError("invalid_request", `maxCredits must be at most ${ceiling}, ${CEILING_WORDS}`);
};

const TOOLS: Readonly<Record<ToolName, (input: ToolInput, call: ToolCall) => Promise<ToolAnswer>>> = {
  quote,
  extract,
  extract_batch: extractBatch,
  get_extraction: getExtraction,
  read_transcript: readTranscript,
  read_file: readFile,
  list_extractions: listExtractions,
  cancel_extraction: cancelExtraction
};

/**
 * Executes a tool call: validates its arguments, and returns errors as results. Rejects only when the
 * call's signal is aborted, with its reason.
 */
const callTool = async (name: string, given: unknown, call: ToolCall): Promise<ToolAnswer> => {
  try {
    const definition = TOOL_DEFINITIONS.find((each) => each.name === name);
    if (definition === undefined) {
      throw new ToolError(
        "not_found",
        `There is no tool called ${JSON.stringify(name.slice(0, CITED_CHARS_MAX))}.`
      );
    }
    const input = checkInput(definition, given);
    checkLimit(input, call.maxCredits);
    return await TOOLS[definition.name](input, call);
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    return errorAnswer(error, call.maxCredits);
  }
};

export interface ToolsOptions {
  /**
   * Highest price in credits of one call of `extract` or `extract_batch`; their argument `maxCredits` can only lower
   * it. Default 500, which is about ten articles.
   */
  readonly maxCredits?: number | undefined;
  /** Includes only these tools. */
  readonly only?: ReadonlyArray<ToolName> | undefined;
}

export interface ExecuteOptions {
  /** Aborts the call and its wait, but never the run. */
  readonly signal?: AbortSignal | undefined;
  /** The same as `signal`, under the name that the Vercel AI SDK uses. */
  readonly abortSignal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

export interface Tool {
  readonly name: ToolName;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: ToolInputSchema;
  /**
   * The tool result for the model, as text. Errors are text too, with a remedy. Rejects only when `signal` is
   * aborted.
   */
  readonly execute: (input: unknown, options?: ExecuteOptions) => Promise<string>;
  /** The same, with the facts as an object, and with images. */
  readonly call: (input: unknown, options?: ExecuteOptions) => Promise<ToolAnswer>;
}

const textOf = ({ content }: ToolAnswer): string =>
  content
    // The text already lists the files.
    .filter((part) => part.type !== "resource_link")
    .map((part) => (part.type === "text" ? part.text : `(image, ${part.mimeType})`))
    .join("\n");

const never = new AbortController().signal;

/** The tools of one account. Create them once: they remember which calls were the same. */
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
      // A copy, because libraries mutate it.
      inputSchema: structuredClone(inputSchema),
      call,
      execute: async (input, given) => textOf(await call(input, given))
    };
  });
};
