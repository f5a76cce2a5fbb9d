/**
 * Chat completions: what the server can do is asked for, and after a rejection one step less, which is remembered.
 * Independent of the question. Tests: Providers.test.ts, LocalServers.test.ts, contexts.test.ts.
 */
import * as Effect from "effect/Effect";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionCreateParams
} from "openai/resources/chat/completions";
import { completionText, type CompletionText } from "./CompletionText.ts";
import type { Completion, CompletionRequest } from "./LlmClient.ts";
import {
  failedBy,
  filteredByProvider,
  InputTooLong,
  ModalityRefused,
  modelError,
  refusedByModel
} from "../../model-server/LlmFailures.ts";
import { countTokens } from "../../model-server/callMetrics.ts";
import { call, FURTHER_RETRIES_MAX } from "../../model-server/Sdk.ts";
import { explained, type RefusedModality, type ServerFault } from "../../model-server/ServerFault.ts";
import type { Endpoint, ServerCapabilities } from "../../model-server/ServerCapabilities.ts";
import { inputTokensOf, leastTokensOf, metered, textTokens } from "./TokenCount.ts";
import type { Capabilities, ResponseMode, TokenLimit } from "../../model-server/ServerPresets.ts";

type Part = ChatCompletionContentPart;

const partsOf = ({ content }: ChatCompletionMessageParam): ReadonlyArray<Part> => {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as ReadonlyArray<Part>) : [];
};

/** The system message is prepended to the first user message; consecutive messages of one role are joined. */
const withoutSystemRole = (
  messages: ReadonlyArray<ChatCompletionMessageParam>
): Array<ChatCompletionMessageParam> => {
  const turns: Array<{ readonly role: "user" | "assistant"; readonly parts: Array<Part> }> = [];
  for (const each of messages) {
    const role = each.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...partsOf(each));
    else turns.push({ role, parts: [...partsOf(each)] });
  }
  return turns.map(({ role, parts }): ChatCompletionMessageParam => {
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const isText = role === "assistant" || texts.length === parts.length;
    return isText ? { role, content: texts.join("\n\n") } : { role, content: parts };
  });
};

interface CompletionEndpoint extends Endpoint {
  /** As of the client. */
  readonly contextTokens: Effect.Effect<number | null>;
  /** Waits until the server has a slot for the request. */
  readonly inTurn: <A, E, R>(sending: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
}

/** Maximum requests per completion; each fallback is another one. */
const STEPS_MAX = 10;

/** For a schema or without: the first mode of the server. */
const modeOf = ({ schema }: CompletionRequest, { responseModes }: Capabilities): ResponseMode =>
  responseModes.find((mode) => schema !== null || (mode !== "schema" && mode !== "json_object")) ?? "bare";

const limitOf = ({ tokenLimits }: Capabilities): TokenLimit => tokenLimits[0] ?? "none";

const outputTokensOf = ({ maxOutputTokens }: CompletionRequest, { outputTokensMax }: Capabilities): number =>
  Math.min(maxOutputTokens, outputTokensMax ?? maxOutputTokens);

const TOOL = "answer";

/** How a mode asks for JSON; for models that answer with a tool call, its arguments are the answer. */
const formatOf = (mode: ResponseMode, { isStrict, schema }: CompletionRequest) => {
  if (schema === null) return {};
  switch (mode) {
    case "schema":
      return {
        response_format: {
          type: "json_schema" as const,
          json_schema: { name: "answer", schema: { ...schema }, strict: isStrict }
        }
      };
    case "json_object":
      return { response_format: { type: "json_object" as const } };
    case "tool_call":
      return {
        tools: [{ type: "function" as const, function: { name: TOOL, parameters: { ...schema } } }],
        tool_choice: { type: "function" as const, function: { name: TOOL } }
      };
    default:
      return {};
  }
};

const bodyOf = (
  model: string,
  request: CompletionRequest,
  capabilities: Capabilities
): ChatCompletionCreateParams => {
  const { lessThinking, stream, temperature, turns } = capabilities;
  const mode = modeOf(request, capabilities);
  if (mode === "bare") return { model, messages: withoutSystemRole(request.messages) };
  const tokenLimit = limitOf(capabilities);
  return {
    model,
    messages: turns ? [...request.messages] : withoutSystemRole(request.messages),
    ...formatOf(mode, request),
    ...(tokenLimit === "none" ? {} : { [tokenLimit]: outputTokensOf(request, capabilities) }),
    ...(temperature ? { temperature: 0 } : {}),
    ...(request.thinksLess === true && lessThinking !== false ? lessThinking : {}),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {})
  };
};

/** The media of a request. */
const modalitiesOf = ({ messages }: CompletionRequest): ReadonlyArray<RefusedModality> => {
  const types = new Set(messages.flatMap((each) => partsOf(each).map(({ type }) => type)));
  return [
    ...(types.has("image_url") ? (["image"] as const) : []),
    ...(types.has("input_audio") ? (["audio"] as const) : [])
  ];
};

const NO_ANSWER = modelError("The language model returned no output.");

/** Servers keep a few tokens to themselves. Held by contexts.test.ts, as is READ_SHARE_MIN. */
const CONTEXT_FULL_SHARE = 0.98;

/** A refusal is final for this content: asking again would cost and not help. */
const read = Effect.fnUntraced(function* (answer: CompletionText | null, contextTokens: number | null) {
  if (answer === null) return yield* NO_ANSWER;
  const { text, inputTokens, isCut, isThoughtAlone, outputTokens, refusal } = answer;
  if (refusal !== null) return yield* refusal === "filtered" ? filteredByProvider : refusedByModel;
  const isContextFull =
    isCut && contextTokens !== null && inputTokens + outputTokens >= CONTEXT_FULL_SHARE * contextTokens;
  return { text, isCut, isContextFull, isThoughtAlone } satisfies Completion;
});

/** State of a completion across its fallbacks. */
interface Step {
  readonly request: CompletionRequest;
  /** What was given up for this request. */
  readonly less: Partial<Capabilities>;
  /** What of it is remembered, once it helped. */
  readonly learnt: Partial<Capabilities>;
  /** Retries of the SDK, if they are fewer than usual. */
  readonly retries: { readonly maxRetries?: number };
}

const without = (step: Step, less: Partial<Capabilities>, isOfServer = true): Step => ({
  ...step,
  less: { ...step.less, ...less },
  learnt: isOfServer ? { ...step.learnt, ...less } : step.learnt
});

/** Remembers what an answered request had, and what led to it. */
const noteAnswered = (server: ServerCapabilities, { request, learnt }: Step, capabilities: Capabilities) => {
  server.answered.add(modeOf(request, capabilities));
  for (const modality of modalitiesOf(request)) server.answered.add(modality);
  return server.learn(learnt);
};

/** A server that allows fewer tokens than this for an answer is of no use. */
const OUTPUT_TOKENS_MIN = 256;

const halved = (outputTokens: number): number | null =>
  outputTokens >= 2 * OUTPUT_TOKENS_MIN ? Math.floor(outputTokens / 2) : null;

/** Codes of a value that is too large, of a parameter that is known. */
const TOO_LARGE = new Set(["invalid_value", "integer_above_max_value"]);

/** What to give up if the server names it; null if the request did not have it. */
const lessBy = (
  { codes, param }: ServerFault["refusal"],
  request: CompletionRequest,
  capabilities: Capabilities
): Partial<Capabilities> | null => {
  const { stream, temperature, tokenLimits, turns } = capabilities;
  const name = param?.split(/[.[]/u)[0];
  switch (name) {
    case "temperature":
      return temperature ? { temperature: false } : null;
    case "stream":
    case "stream_options":
      return stream ? { stream: false } : null;
    case "messages":
      return turns && modalitiesOf(request).length === 0 ? { turns: false } : null;
    case limitOf(capabilities): {
      const outputTokensMax = codes.some((code) => TOO_LARGE.has(code))
        ? halved(outputTokensOf(request, capabilities))
        : null;
      return outputTokensMax === null ? { tokenLimits: tokenLimits.slice(1) } : { outputTokensMax };
    }
    default:
      return null;
  }
};

/** The next way to JSON after what the server refused; null if there is none. Tools are for empty answers only. */
const nextMode = (step: Step, used: ResponseMode, isProven: boolean, { responseModes }: Capabilities) => {
  const rest = responseModes.slice(responseModes.indexOf(used) + 1);
  const isOfServer = step.request.schema !== null && !isProven;
  return rest.every((mode) => mode === "tool_call")
    ? null
    : without(step, { responseModes: rest }, isOfServer);
};

/**
 * The next request after a fault: without what the server names, else with the next way to JSON, else without media.
 * Media are first if what else the request has was answered before.
 */
const stepDown = Effect.fnUntraced(function* (
  server: ServerCapabilities,
  step: Step,
  capabilities: Capabilities,
  fault: ServerFault
) {
  const { request } = step;
  const { means, contextTokens } = explained(fault, capabilities.sayings);
  if (means === "too_long") {
    if (contextTokens !== null) yield* server.learn({ contextTokens }, SHORT);
    // Half the answer, if it is the larger part of what was too long.
    const outputTokens = outputTokensOf(request, capabilities);
    const maxOutputTokens = inputTokensOf(request.messages) <= outputTokens ? halved(outputTokens) : null;
    if (maxOutputTokens !== null) return { ...step, request: { ...request, maxOutputTokens } };
    return yield* new InputTooLong(contextTokens === null ? {} : { contextTokens });
  }
  const refuse = Effect.fnUntraced(function* (modality: RefusedModality) {
    if (!server.answered.has(modality)) yield* server.learn({ [modality]: false });
    return yield* new ModalityRefused({ modality });
  });
  if (means === "image" || means === "audio") return yield* refuse(means);
  const used = modeOf(request, capabilities);
  const isProven = server.answered.has(used);
  const next = nextMode(step, used, isProven, capabilities);
  // Servers fail on schemas, and for other reasons: nothing is learnt from that.
  if (means === "failed" && fault.status === 500 && used === "schema" && next !== null)
    return { ...next, learnt: step.learnt, retries: { maxRetries: FURTHER_RETRIES_MAX } };
  if (means !== "rejected") return yield* failedBy(fault, means);
  if (fault.status === 404) return yield* failedBy(fault, "no_model");
  const named = lessBy(fault.refusal, request, capabilities);
  if (named !== null) return without(step, named);
  if (request.thinksLess === true && capabilities.lessThinking !== false)
    return without(step, { lessThinking: false });
  const [modality] = modalitiesOf(request);
  if (modality !== undefined && (isProven || next === null)) return yield* refuse(modality);
  return next ?? (yield* failedBy(fault));
});

/** For models that only answer with tool calls. */
const withTools = (
  server: ServerCapabilities,
  step: Step,
  capabilities: Capabilities,
  answer: CompletionText | null
): Step | null => {
  // One that wrote its thoughts only would write no other answer into a tool call.
  const isEmpty =
    answer !== null &&
    answer.text.trim() === "" &&
    !answer.isCut &&
    !answer.isThoughtAlone &&
    answer.refusal === null;
  const used = modeOf(step.request, capabilities);
  const isPossible = step.request.schema !== null && capabilities.responseModes.includes("tool_call");
  if (!isEmpty || !isPossible || used === "tool_call") return null;
  return without(step, { responseModes: ["tool_call"] }, !server.answered.has(used));
};

/** A server that read this share of the least estimate has read all. */
const READ_SHARE_MIN = 0.6;

/** Below this, a report is no context: some servers report nothing, or a constant. */
const CONTEXT_TOKENS_MIN = 1_000;

/** A context that cuts is filled: a report below this share of the last one only counts otherwise. */
const FILLED_SHARE_MIN = 0.9;

const SHORT = "The context of the model's server is shorter than configured; content is split from now on";
const CUTS =
  "The model's server reads only part of what is sent, without saying so; content is split from now on";
const COUNTS_OTHERWISE =
  "The model's server reports fewer tokens than were sent, which is no longer taken for a cut";

/** Compares what a request had with what the server reports to have read, if it may have read only a part. */
const judgeReading = Effect.fnUntraced(function* (
  { server }: CompletionEndpoint,
  { messages }: CompletionRequest,
  answer: CompletionText
) {
  const { contextTokens, cutsInSilence } = yield* server.get;
  const reported = answer.inputTokens + answer.cachedTokens;
  if (!cutsInSilence || reported === 0 || reported >= READ_SHARE_MIN * leastTokensOf(messages)) return;
  if (contextTokens !== null && reported < FILLED_SHARE_MIN * contextTokens)
    return yield* server.learn({ cutsInSilence: false, contextTokens: null }, COUNTS_OTHERWISE);
  if (reported < CONTEXT_TOKENS_MIN) return;
  yield* server.learn({ contextTokens: Math.min(contextTokens ?? reported, reported) }, CUTS);
  return yield* new InputTooLong({ contextTokens: reported });
});

/** The answer's text, a stream or not: what the server makes of the request is read either way. */
const wholeText = async (sending: { readonly asResponse: () => Promise<Response> }): Promise<string> =>
  (await sending.asResponse()).text();

/** For the result, the metrics and the trace (OpenTelemetry's conventions for generative AI). */
const noteUsage = Effect.fnUntraced(function* (
  { model, server }: CompletionEndpoint,
  sent: CompletionText | null
) {
  const { meter } = yield* CurrentRun;
  const tokens = { input: sent?.inputTokens ?? 0, output: sent?.outputTokens ?? 0 };
  yield* countTokens(model, tokens);
  const [inputTokens, outputTokens] = [tokens.input || null, tokens.output || null];
  yield* meter.report({ inputTokens, outputTokens, requests: 1, audioSeconds: null });
  yield* Effect.annotateCurrentSpan({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": server.preset,
    "gen_ai.request.model": model,
    ...(inputTokens === null ? {} : { "gen_ai.usage.input_tokens": inputTokens }),
    ...(outputTokens === null ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
    "gen_ai.response.finish_reasons": [sent?.isCut === true ? "length" : "stop"]
  });
});

export const completion = (endpoint: CompletionEndpoint) => {
  const { sdk, server, model, inTurn } = endpoint;
  return Effect.fn("LlmClient.complete")(function* (request: CompletionRequest) {
    const schemaText = request.schema === null ? "" : JSON.stringify(request.schema);
    let step: Step = { request, less: {}, learnt: {}, retries: {} };
    for (let tries = 1; ; tries++) {
      const capabilities: Capabilities = { ...(yield* server.get), ...step.less };
      const body = bodyOf(model, step.request, capabilities);
      const answer = yield* metered(
        inputTokensOf(step.request.messages) + textTokens(schemaText),
        inTurn(
          call(sdk, model, {
            send: async (client, options) => ({
              completion: completionText(
                await wholeText(client.chat.completions.create(body, { ...options, ...step.retries }))
              )
            }),
            isCut: (sent) => sent.completion?.isCut === true
          })
        )
      ).pipe(
        Effect.catchTag("ServerFault", (fault) =>
          tries >= STEPS_MAX ? Effect.fail(failedBy(fault)) : stepDown(server, step, capabilities, fault)
        )
      );
      if ("less" in answer) {
        step = answer;
        continue;
      }
      const sent = answer.completion;
      yield* noteUsage(endpoint, sent);
      const calling = tries >= STEPS_MAX ? null : withTools(server, step, capabilities, sent);
      if (calling !== null) {
        step = calling;
        continue;
      }
      if (sent !== null) {
        yield* noteAnswered(server, step, capabilities);
        yield* judgeReading(endpoint, step.request, sent);
      }
      return yield* read(sent, yield* endpoint.contextTokens);
    }
  });
};
