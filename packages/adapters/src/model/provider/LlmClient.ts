/** Chat completions of the operator's server, as the analyst asks for them. Tests: OpenAiAnalyst.test.ts. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { InputTooLong, ModalityRefused } from "../../model-server/LlmFailures.ts";
import type { Capabilities } from "../../model-server/ServerPresets.ts";

export interface CompletionRequest {
  readonly messages: ReadonlyArray<ChatCompletionMessageParam>;
  /** Schema of the answer in the provider's subset; null for plain text. */
  readonly schema: JsonObject | null;
  /** Whether the schema is within the limits of strict mode. */
  readonly isStrict: boolean;
  readonly maxOutputTokens: number;
  /** Asks a thinking model to think less, where the server has a way to say so. */
  readonly thinksLess?: boolean;
}

export interface Completion {
  readonly text: string;
  /** Whether the answer reached the output limit and is truncated. */
  readonly isCut: boolean;
  /** Truncated because the server's context has no more room, as far as that is known. */
  readonly isContextFull: boolean;
  /** The model wrote its thoughts and nothing else. */
  readonly isThoughtAlone: boolean;
}

export class LlmClient extends Context.Service<
  LlmClient,
  {
    readonly model: string;

    /** What the server can do, as far as known. */
    readonly capabilities: Effect.Effect<Capabilities>;

    /** Tokens that the server reads, as it says or its errors show; null if unknown. */
    readonly contextTokens: Effect.Effect<number | null>;

    /**
     * One answer, with fallbacks for unsupported features, which are remembered. Busy servers, server errors and
     * dropped connections have been retried; interruption aborts the HTTP request.
     *
     * @fails ModalityRefused the server accepts no images or no audio, which `capabilities` shows from then on
     */
    readonly complete: (
      request: CompletionRequest
    ) => Effect.Effect<Completion, Failed | InputTooLong | ModalityRefused>;
  }
>()("@winnow/adapters/model/provider/LlmClient") {}
