/** Flags of `extract` and `probe`, and the request body built from them. */
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import * as Argument from "effect/cli/Argument";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { readSchema } from "./readSchema.ts";

export const submitFlags = {
  url: Argument.String("url").pipe(
    Argument.withDescription("Public URL of a video, a photo post or an article")
  ),
  parts: Flag.String("parts").pipe(
    Flag.withDescription(`What to fetch, comma-separated: ${MODALITIES.join(", ")}; everything by default`),
    Flag.optional
  ),
  schema: Flag.String("schema").pipe(
    Flag.withDescription(
      "JSON Schema file of what the language model should extract; --parts are then its inputs"
    ),
    Flag.optional
  ),
  prompt: Flag.String("prompt").pipe(
    Flag.withDescription("Guidance for the language model, with a schema"),
    Flag.optional
  ),
  language: Flag.String("language").pipe(
    Flag.withDescription(
      "Language of the transcript, such as `en` or `pt-BR`; by default the original language, never a machine translation"
    ),
    Flag.optional
  ),
  evidence: Flag.Literals("evidence", ["attach", "require"]).pipe(
    Flag.withDescription("With a schema; `require`: values without evidence in the content become null"),
    Flag.optional
  ),
  speech: Flag.Boolean("speech").pipe(
    Flag.withDescription("If a video has no captions, transcribe it with the speech model"),
    Flag.withDefault(false)
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
};

export interface SubmitInput {
  readonly url: string;
  readonly parts: Option.Option<string>;
  readonly schema: Option.Option<string>;
  readonly prompt: Option.Option<string>;
  readonly language: Option.Option<string>;
  readonly evidence: Option.Option<"attach" | "require">;
  readonly speech: boolean;
  readonly json: boolean;
}

/** The body as a caller of the API would send it; the engine validates it. */
export const bodyOf = Effect.fnUntraced(function* ({
  url,
  parts,
  schema,
  prompt,
  language,
  evidence,
  speech
}: SubmitInput) {
  const body: Record<string, unknown> = { url };
  const isAi = Option.isSome(schema);
  if (Option.isSome(parts)) {
    body[isAi ? "inputs" : "parts"] = parts.value.split(",").map((part) => part.trim());
  }
  if (Option.isSome(schema)) body["schema"] = yield* readSchema(schema.value);
  if (Option.isSome(prompt)) body["prompt"] = prompt.value;
  if (Option.isSome(language)) body["language"] = language.value;
  if (Option.isSome(evidence)) body["evidence"] = evidence.value;
  if (speech) body["speech"] = true;
  return body;
});
