/**
 * Chat completions, down the ladder of what a server takes: strict schema, schema, JSON, words. Decides
 * which feature a refusal means and remembers it; knows nothing of what is asked.
 */
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Ref from "effect/Ref";
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming
} from "openai/resources/chat/completions";
import {
  type Capabilities,
  type Feature,
  isAboutSchema,
  isNamed,
  isTooLong,
  meet,
  RESPONSE_MODES,
  type ResponseMode,
  suspects,
  type Usage,
  weakest,
  without
} from "./Capabilities.ts";
import type { Completion, CompletionRequest } from "./LlmClient.ts";
import {
  InputTooLong,
  ModalityRefused,
  modelError,
  type RequestRefused,
  unexplained
} from "./LlmFailures.ts";
import { countTokens } from "./LlmMetrics.ts";
import { call, type Sdk } from "./Sdk.ts";

export interface Endpoint {
  readonly sdk: Sdk;
  readonly known: Ref.Ref<Capabilities>;
  readonly model: string;
}

/** Requests of one completion at most: each step down is one more. */
const STEPS_MAX = 8;

/** The strongest way that both the server takes and the request wants. */
const modeOf = ({ strongest }: CompletionRequest, { responseMode }: Capabilities): ResponseMode =>
  weakest(RESPONSE_MODES, responseMode, strongest);

type ResponseFormat = NonNullable<ChatCompletionCreateParamsNonStreaming["response_format"]>;

const responseFormat = (mode: ResponseMode, request: CompletionRequest): ResponseFormat | null => {
  if (request.schema === null || mode === "prompt_only") return null;
  if (mode === "json_object") return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: { name: "answer", schema: { ...request.schema }, strict: mode === "strict_schema" }
  };
};

const bodyOf = (
  model: string,
  request: CompletionRequest,
  capabilities: Capabilities
): ChatCompletionCreateParamsNonStreaming => {
  const format = responseFormat(modeOf(request, capabilities), request);
  const { tokenLimit, temperature } = capabilities;
  return {
    model,
    messages: [...request.messages],
    ...(format === null ? {} : { response_format: format }),
    ...(tokenLimit === "none" ? {} : { [tokenLimit]: request.maxOutputTokens }),
    ...(temperature ? { temperature: 0 } : {})
  };
};

const usageOf = (request: CompletionRequest, capabilities: Capabilities): Usage => {
  const types = new Set(
    request.messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(({ type }) => type) : []))
  );
  return {
    responseMode: request.schema === null ? "prompt_only" : modeOf(request, capabilities),
    image: types.has("image_url"),
    audio: types.has("input_audio")
  };
};

const DECLINED = "The language model declined to answer about this content.";

/** A refusal is the model's last word on this content: asking again would cost and not help. */
const read = (answer: ChatCompletion): Effect.Effect<Completion, AnalysisFailed> => {
  const choice = answer.choices?.[0];
  if (choice === undefined) return Effect.fail(modelError("The language model sent no answer."));
  const refusal = choice.message?.refusal;
  if (choice.finish_reason === "content_filter" || (typeof refusal === "string" && refusal !== ""))
    return Effect.fail(modelError(DECLINED));
  return Effect.succeed({ text: choice.message?.content ?? "", isCut: choice.finish_reason === "length" });
};

const isModality = (feature: Feature): feature is "image" | "audio" =>
  feature === "image" || feature === "audio";

/** Where a completion stands on its way down. */
interface Step {
  readonly capabilities: Capabilities;
  /** What to remember should the next try succeed. */
  readonly suspected: Capabilities;
}

const stepDown = Effect.fnUntraced(function* (
  known: Ref.Ref<Capabilities>,
  request: CompletionRequest,
  { capabilities, suspected }: Step,
  refused: RequestRefused
) {
  if (isTooLong(refused)) return yield* new InputTooLong();
  const usage = usageOf(request, capabilities);
  const feature = suspects(capabilities, refused, usage)[0];
  if (feature === undefined) return yield* unexplained(refused);
  // The mode in use may be below what is known, where the request itself began lower.
  const inUse = { ...capabilities, responseMode: usage.responseMode };
  const next = without(inUse, feature);
  if (isModality(feature)) {
    yield* Ref.update(known, (now) => without(now, feature));
    return yield* new ModalityRefused({ modality: feature });
  }
  if (feature === "responseMode" && isAboutSchema(refused)) return { capabilities: next, suspected };
  if (!isNamed(refused, feature)) return { capabilities: next, suspected: meet(suspected, next) };
  yield* Ref.update(known, (now) => meet(now, without(capabilities, feature)));
  return { capabilities: next, suspected };
});

export const completion = ({ sdk, known, model }: Endpoint) =>
  Effect.fn("LlmClient.complete")(function* (request: CompletionRequest) {
    const first = yield* Ref.get(known);
    let step: Step = { capabilities: first, suspected: first };
    for (let tries = 1; ; tries++) {
      const body = bodyOf(model, request, step.capabilities);
      const answer = yield* call(
        sdk,
        model,
        (client, signal) => client.chat.completions.create(body, { signal }),
        ({ choices }) => choices?.[0]?.finish_reason === "length"
      ).pipe(
        Effect.catchTag("RequestRefused", (refused) =>
          tries >= STEPS_MAX ? Effect.fail(unexplained(refused)) : stepDown(known, request, step, refused)
        )
      );
      if ("capabilities" in answer) {
        step = answer;
        continue;
      }
      const { suspected } = step;
      if (suspected !== first) yield* Ref.update(known, (now) => meet(now, suspected));
      const { prompt_tokens: input = 0, completion_tokens: output = 0 } = answer.usage ?? {};
      yield* countTokens(model, { input, output });
      return yield* read(answer);
    }
  });
