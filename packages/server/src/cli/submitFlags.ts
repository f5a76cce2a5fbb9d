/**
 * What `extract` and `probe` take, and the body that it makes.
 */
import { MODALITIES } from "@winnow/core/domain/Modality";
import * as Argument from "effect/cli/Argument";
import * as Flag from "effect/cli/Flag";
import * as Option from "effect/Option";

export const submitFlags = {
  url: Argument.String("url").pipe(
    Argument.withDescription("Public URL of a video, a photo post or an article")
  ),
  parts: Flag.String("parts").pipe(
    Flag.withDescription(`What to fetch: a comma list of ${MODALITIES.join(", ")}; everything by default`),
    Flag.optional
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for programs"), Flag.withDefault(false))
};

export interface SubmitInput {
  readonly url: string;
  readonly parts: Option.Option<string>;
}

/** As a caller of the API would send it; the engine says what is wrong with it. */
export const bodyOf = ({ url, parts }: SubmitInput): Record<string, unknown> => ({
  url,
  ...Option.match(parts, {
    onNone: () => ({}),
    onSome: (text) => ({ parts: text.split(",").map((part) => part.trim()) })
  })
});
