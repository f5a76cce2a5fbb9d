/** Executes a tool call: validates its arguments, and returns errors as results. */
import { errorAnswer, type ToolAnswer } from "./answer.ts";
import { TOOL_DEFINITIONS, type ToolName } from "./definitions.ts";
import { cancelExtraction, extract, getExtraction, quote } from "./extractTool.ts";
import { checkInput, type ToolInput } from "./inputCheck.ts";
import { listExtractions, readFile, readTranscript } from "./readTools.ts";
import type { ToolCall } from "./toolSource.ts";
import { ToolError } from "./toolError.ts";

/** A model must not raise the limit that the operator set. */
const checkLimit = ({ maxCredits }: ToolInput, ceiling: number): void => {
  if (typeof maxCredits !== "number" || maxCredits <= ceiling) return;
  throw new ToolError(
    "invalid_request",
    `maxCredits must be at most ${ceiling}, the operator's limit for one call. Leave it out for this limit.`
  );
};

const TOOLS: Readonly<Record<ToolName, (input: ToolInput, call: ToolCall) => Promise<ToolAnswer>>> = {
  quote,
  extract,
  get_extraction: getExtraction,
  read_transcript: readTranscript,
  read_file: readFile,
  list_extractions: listExtractions,
  cancel_extraction: cancelExtraction
};

/** Rejects only when the call's signal is aborted, with its reason. */
export const callTool = async (name: string, given: unknown, call: ToolCall): Promise<ToolAnswer> => {
  try {
    const definition = TOOL_DEFINITIONS.find((each) => each.name === name);
    if (definition === undefined) {
      throw new ToolError("not_found", `There is no tool called ${JSON.stringify(name.slice(0, 60))}.`);
    }
    const input = checkInput(definition, given);
    checkLimit(input, call.maxCredits);
    return await TOOLS[definition.name](input, call);
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    return errorAnswer(error, call.maxCredits);
  }
};
