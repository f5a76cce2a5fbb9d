/**
 * The Analyst for any OpenAI-compatible server: prepares the inputs, reads them in as many calls as needed, and
 * validates every answer against the caller's schema.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Failed } from "@winnow/core/domain/source/Failed";
import { TOO_LITTLE } from "@winnow/core/domain/evidence/Verdict";
import {
  type Analysis,
  type AnalysisRequest,
  Analyst,
  type Material,
  type Proposal
} from "@winnow/core/ports/Analyst";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { RequestedSchema } from "./answer/AnswerParsing.ts";
import { Answers } from "./answer/Answers.ts";
import { ask, askUntilRead, randomBoundary, OUTPUT_TOKENS } from "./askModel.ts";
import type { Capabilities } from "../model-server/ServerPresets.ts";
import { type InputPart, type PreparedInputs, textItems } from "./inputs/InputItems.ts";
import { analyseLong, partsOf, type AnalysisStep, type UnreadNote } from "./inputs/analyseLong.ts";
import { contextBudget, CONTEXT_TOKENS_DEFAULT, inReadingOrder, splitInputs } from "./inputs/splitInputs.ts";
import { MediaReader } from "./media/MediaReader.ts";
import type { SoundReader } from "../speech/SoundReader.ts";
import type { SpeechClient } from "../speech/SpeechClient.ts";
import { isWorthAsking, prepareInputs } from "./prepareInputs.ts";
import { textTokens } from "./provider/TokenCount.ts";
import { LlmClient } from "./provider/LlmClient.ts";
import {
  type InputTooLong,
  invalidOutput,
  type ModalityRefused,
  modelError
} from "../model-server/LlmFailures.ts";
import type { RefusedModality } from "../model-server/ServerFault.ts";
import { PROPOSAL_SCHEMA } from "./SchemaProposal.ts";
import { messagesOf, PROPOSAL_TASK } from "./Prompts.ts";
import type { Answer } from "./inputs/mergeAnswers.ts";

export interface AnalystSettings {
  /** Context of the model, in tokens. */
  readonly contextTokens: number;
}

/** Tokens of instructions and facts. The schema counts twice, in the prompt and in the request. */
const INSTRUCTION_TOKENS = 1_500;

const PROPOSED = { json: JSON.stringify(PROPOSAL_SCHEMA), isStrict: true };

const NO_EVIDENCE = { quotes: [], confidence: null };

const TOO_LONG = modelError("The content is longer than the language model can read.");
const NO_MODALITY = modelError("The language model refused the content.");

type Services = Answers | LlmClient | MediaReader | SoundReader | SpeechClient;

/** Prepares again without what the model rejected. */
const withPrepared = <A>(
  material: Material,
  use: (inputs: PreparedInputs) => Effect.Effect<A, Failed | InputTooLong | ModalityRefused, Services>
): Effect.Effect<A, Failed, Services> => {
  const attempt = (refused: ReadonlyArray<RefusedModality>): Effect.Effect<A, Failed, Services> =>
    prepareInputs(material, refused).pipe(
      Effect.flatMap(use),
      Effect.catchTags({
        InputTooLong: () => Effect.fail(TOO_LONG),
        ModalityRefused: ({ modality }) =>
          refused.includes(modality) ? Effect.fail(NO_MODALITY) : attempt([...refused, modality])
      })
    );
  return attempt([]);
};

const NOT_MERGED = invalidOutput(
  "The merged output for the sections of the content does not match the schema."
);

/** An invalid answer may be caused by content that was not read, so the failure's message mentions it. */
const warnUnread =
  (unread: UnreadNote) =>
  <A, E, R>(answer: Effect.Effect<A, E | Failed, R>) =>
    Effect.mapError(answer, (failure) =>
      unread !== null && failure instanceof Failed && failure.reason === "invalid_model_output"
        ? invalidOutput(`${failure.message} ${unread}`)
        : failure
    );

const requested = (asked: RequestedSchema) =>
  Effect.map(
    Answers.use((answers) => answers.answerSchemaOf(asked)),
    (answerSchema) => ({ ...asked, ...answerSchema })
  );

const accept = Effect.fnUntraced(function* (schema: string, merged: Answer) {
  const answers = yield* Answers;
  const checked = yield* Effect.mapError(answers.checkedAnswer(schema, merged), () => NOT_MERGED);
  return "read" in checked ? checked.read : yield* NOT_MERGED;
});

/** A server that reads less than configured gets less. */
const contextOf = ({ contextTokens }: AnalystSettings) =>
  Effect.map(
    LlmClient.use((client) => client.contextTokens),
    (served) => Math.min(contextTokens, served ?? contextTokens)
  );

const analyse = (settings: AnalystSettings) => (request: AnalysisRequest) =>
  withPrepared(
    request,
    Effect.fnUntraced(function* (inputs): Effect.fn.Return<
      Analysis,
      Failed | InputTooLong | ModalityRefused,
      Services
    > {
      const { unavailable, unreadSlides, warnings, transcribed: texts } = inputs;
      const notFound = { unavailable, unreadSlides };
      if (!isWorthAsking(request, inputs))
        return { ...TOO_LITTLE, ...NO_EVIDENCE, ...notFound, warnings, texts };
      const { prompt, facts, range } = request;
      // Without guidance, nothing can ask for more than the schema names.
      const asked = { schema: JSON.stringify(request.schema), isGuided: prompt !== null };
      const whole = yield* requested(asked);
      const ofSection = yield* Effect.cached(requested({ ...asked, isSection: true }));
      const schemaTokens = textTokens(whole.json);
      const read = yield* analyseLong<Failed | ModalityRefused, Services>(inputs, {
        contextTokens: yield* contextOf(settings),
        overheadTokens: INSTRUCTION_TOKENS + 2 * schemaTokens + textTokens(prompt ?? "") + OUTPUT_TOKENS,
        ask: (parts, step: AnalysisStep) =>
          (step._tag === "Section" ? ofSection : Effect.succeed(whole)).pipe(
            Effect.flatMap((schema) => ask({ parts, schema, prompt, facts, range, step })),
            warnUnread(step._tag === "Reconciliation" ? step.unread : null)
          ),
        merge: (ofSections) => Answers.use((answers) => answers.mergeAnswers(ofSections)),
        accept: (merged, unread) => warnUnread(unread)(accept(whole.schema, merged))
      });
      return {
        ...read.answer,
        ...notFound,
        warnings: [...new Set([...warnings, ...read.warnings, ...(read.answer.warnings ?? [])])],
        texts
      };
    })
  );

/** The start of long content is enough to recognise its kind. */
const firstParts = (inputs: PreparedInputs, contextTokens: number): ReadonlyArray<InputPart> => {
  const budget = contextBudget(contextTokens, INSTRUCTION_TOKENS + OUTPUT_TOKENS);
  const items = inReadingOrder(textItems(inputs.texts, budget.sectionTokens), inputs.media);
  const [first] = splitInputs(items, budget);
  return first === undefined ? [] : partsOf(first);
};

const propose = (settings: AnalystSettings) => (material: Material) =>
  withPrepared(
    material,
    Effect.fnUntraced(function* (inputs): Effect.fn.Return<
      Proposal,
      Failed | InputTooLong | ModalityRefused,
      Services
    > {
      const { unreadSlides } = inputs;
      if (!isWorthAsking(material, inputs)) return { name: "Content", fields: [], unreadSlides };
      return { ...(yield* proposed(material, settings, inputs)), unreadSlides };
    })
  );

const proposed = Effect.fnUntraced(function* (
  { prompt, facts, range }: Material,
  settings: AnalystSettings,
  inputs: PreparedInputs
) {
  const messages = messagesOf({
    word: yield* randomBoundary,
    task: PROPOSAL_TASK,
    schemaJson: PROPOSED.json,
    prompt,
    facts,
    range,
    parts: firstParts(inputs, yield* contextOf(settings))
  });
  const answers = yield* Answers;
  return yield* askUntilRead(messages, PROPOSED, (text) => answers.parseProposal(text));
});

/** Text always; audio as text or audio; video as images. */
const supportedModalities = ({ audio, transcription, image }: Capabilities): ReadonlyArray<Modality> => [
  "transcript",
  "comments",
  ...(audio || transcription ? (["audio"] as const) : []),
  ...(image ? (["video"] as const) : [])
];

/** Several analysts may share the workers of {@link Answers}. */
export const layer = (
  settings: AnalystSettings = { contextTokens: CONTEXT_TOKENS_DEFAULT }
): Layer.Layer<Analyst, never, Services> =>
  Layer.effect(
    Analyst,
    Effect.gen(function* () {
      const services = yield* Effect.context<Services>();
      const { model } = Context.get(services, LlmClient);
      return Analyst.of({
        model,
        takes: Effect.map(Context.get(services, LlmClient).capabilities, supportedModalities),
        analyse: Effect.fn("Analyst.analyse")((request) =>
          Effect.provideContext(analyse(settings)(request), services)
        ),
        propose: Effect.fn("Analyst.propose")((material) =>
          Effect.provideContext(propose(settings)(material), services)
        )
      });
    })
  );
