/** The functions of the worker that owns a schema, from its text to checked answers, as a service. Tests: OpenAiAnalyst.test.ts. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { AnswerFunctions } from "./AnswerWorker.ts";

export class Answers extends Context.Service<
  Answers,
  {
    readonly [Name in keyof AnswerFunctions]: (
      ...given: Parameters<AnswerFunctions[Name]>
    ) => Effect.Effect<ReturnType<AnswerFunctions[Name]>, Failed>;
  }
>()("@winnow/adapters/model/answer/Answers") {}
