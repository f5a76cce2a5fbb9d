/** What the server's list of models states of the model. Tests: contexts.test.ts. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { Sdk } from "../../model-server/Sdk.ts";

/** By llama.cpp, vLLM, OpenRouter and Groq. */
const ToldModel = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  meta: Schema.optionalKey(Schema.NullOr(Schema.Struct({ n_ctx: Schema.optionalKey(Schema.Finite) }))),
  max_model_len: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  context_length: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  context_window: Schema.optionalKey(Schema.NullOr(Schema.Finite))
});
const decodeModels = Schema.decodeUnknownSync(Schema.Array(ToldModel));

const TIMEOUT = "5 seconds";

/** Tokens of the model's context; null if the server does not say. */
export const toldContext = (sdk: Sdk, model: string): Effect.Effect<number | null> =>
  Effect.flatMap(sdk, (client) =>
    Effect.tryPromise(async (signal) => {
      const models = decodeModels((await client.models.list({ signal, maxRetries: 0 })).data);
      const told = models.find(({ id }) => id === model) ?? (models.length === 1 ? models[0] : undefined);
      return told?.meta?.n_ctx ?? told?.max_model_len ?? told?.context_length ?? told?.context_window ?? null;
    })
  ).pipe(
    Effect.timeout(TIMEOUT),
    Effect.orElseSucceed(() => null)
  );
