/**
 * Flags of commands that submit to a server, and the fields of the submit body that they stand for. Tests:
 * batchCommand.test.ts, resultText.test.ts, winnow.test.ts.
 */
import { EvidenceRule } from "@winnow/core/domain/evidence/EvidenceRule";
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import { Captions } from "@winnow/core/domain/source/SourceFacts";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { choice, given, text, time, toggle } from "../flags.ts";
import { readSchema, unusable } from "../Inputs.ts";

const NAMES = MODALITIES.join(", ");

/** For the commands that extract or quote. */
export const rangeFlags = {
  from: time("from", "Only a stretch of a video, from this time on: `1:05`, `1:02:03.5` or seconds"),
  to: time("to", "Only a stretch of a video, up to this time; its price counts the seconds of the stretch")
};

/** A message of the service, with the flags of a stretch for the fields that they stand for. */
export const withRangeFlags = (message: string): string =>
  message
    .replaceAll(/`(?:range\.)?startSec`/gu, "--from")
    .replaceAll(/`(?:range\.)?endSec`/gu, "--to")
    .replace(/^`range`/u, "The stretch")
    .replaceAll(/(?:the stretch of )?`range`/gu, "the stretch");

export const contentFlags = {
  schema: text(
    "schema",
    "JSON Schema file, or id of a saved schema, of what the language model should extract"
  ),
  parts: text("parts", `Without a schema: what to fetch, comma-separated: ${NAMES}; everything by default`),
  inputs: text("inputs", "With a schema: which parts the language model reads, comma-separated"),
  ...rangeFlags
};

/** What runs on this machine have too. */
export const readingFlags = {
  prompt: text("prompt", "With a schema: guidance for the language model"),
  language: text(
    "language",
    "Language of the transcript, such as `en` or `pt-BR`; by default the original language, never a machine translation"
  ),
  evidence: choice(
    "evidence",
    EvidenceRule.literals,
    "With a schema; `require`: values without evidence in the content become null"
  ),
  captions: choice(
    "captions",
    Captions.literals,
    "Whose captions become the transcript; `any` by default: those made by people before automatic ones"
  ),
  speech: toggle(
    "speech",
    "If a video has no captions, or none of --captions, transcribe it with the speech model"
  )
};

interface Content {
  readonly schema: Option.Option<string>;
  readonly parts: Option.Option<string>;
  readonly inputs: Option.Option<string>;
  readonly from: Option.Option<number>;
  readonly to: Option.Option<number>;
}

/** "sch_01hzx3", "winnow.predefined.recipe.v1" and "auto" are ids of schemas; everything else is a file. */
const SCHEMA_ID = /^(?:sch_|winnow\.predefined\.)|^auto$/u;

/** The service reports what else is wrong with it. */
export const contentFields = Effect.fnUntraced(function* ({ schema, parts, inputs, from, to }: Content) {
  if (Option.isSome(schema) && Option.isSome(parts)) {
    return yield* unusable("--parts are for runs without a schema: use --inputs.");
  }
  if (Option.isNone(schema) && Option.isSome(inputs)) {
    return yield* unusable("--inputs need a --schema: use --parts.");
  }
  const range = given({ startSec: from, endSec: to });
  const { startSec = 0, endSec = Infinity } = range;
  if (startSec >= endSec) {
    return yield* unusable(`--to must be later than ${Option.isNone(from) ? "0" : "--from"}.`);
  }
  const names = (list: Option.Option<string>) =>
    Option.getOrUndefined(Option.map(list, (text) => text.split(",").map((name) => name.trim())));
  const isWhole = Option.isNone(from) && Option.isNone(to);
  const chosen = { parts: names(parts), inputs: names(inputs), range: isWhole ? undefined : range };
  if (Option.isNone(schema)) return chosen;
  return SCHEMA_ID.test(schema.value)
    ? { ...chosen, schemaId: schema.value }
    : { ...chosen, schema: yield* readSchema(schema.value) };
});
