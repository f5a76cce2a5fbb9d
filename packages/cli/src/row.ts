/**
 * A command as a row of a table: its word, what it is about, its fields, what it calls, and how the answer is shown.
 * What does more than one call is written out.
 */
import type { Winnow } from "@winnow/client";
import type { AdminClient } from "@winnow/client/admin";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import { callAdmin, callOwn, owner, target, type OperatorTarget, type Target } from "./clients.ts";
import { asJson } from "./flags.ts";
import type { CliFailed } from "./Inputs.ts";
import { printResult, printTable, type Cells } from "./Output.ts";

type Fields = Command.Command.Config;
type Input<Of extends Fields> = Command.Command.Config.Infer<Of>;

type ItemOf<Answer> = Answer extends ReadonlyArray<infer Item> ? Item : never;

interface Row<Word extends string, Of extends Fields, Call, Answer, Known = unknown> {
  readonly word: Word;
  readonly about: string;
  readonly fields: Of;
  readonly call: Call;
  /** Of each item, if the answer is a list. */
  readonly columns?: (item: NoInfer<ItemOf<Answer>>) => Cells;
  readonly words?: (answer: NoInfer<Answer>, input: Input<Of> & Known) => string;
}

export const row = <const Word extends string, Of extends Fields, Answer, R>({
  word,
  about,
  fields,
  call,
  columns,
  words
}: Row<Word, Of, (input: Input<Of>) => Effect.Effect<Answer, CliFailed, R>, Answer>) =>
  Command.make(word, { ...fields, json: asJson }, (given) => {
    const input = given as Input<Of>;
    const { json } = given as { readonly json: boolean };
    return Effect.flatMap(call(input), (answer) =>
      columns === undefined
        ? printResult(json, answer, words?.(answer, input) ?? "")
        : printTable(json, answer as ReadonlyArray<ItemOf<Answer>>, columns)
    );
  }).pipe(Command.withDescription(about));

/** About an account: that of a key, or one that the operator names. */
export const ownRow = <const Word extends string, Of extends Fields, Answer>({
  call,
  words,
  ...rest
}: Row<Word, Of, (winnow: Winnow, input: Input<Of>) => Promise<Answer>, Answer, Pick<Target, "id">>) =>
  row<Word, Of, Answer, never>({
    ...rest,
    fields: { ...owner, ...rest.fields },
    words: words as never,
    call: (input) => callOwn(input as unknown as Target, (winnow) => call(winnow, input))
  });

/** For the operator alone. */
export const adminRow = <const Word extends string, Of extends Fields, Answer>({
  call,
  ...rest
}: Row<Word, Of, (admin: AdminClient, input: Input<Of>) => Promise<Answer>, Answer>) =>
  row<Word, Of, Answer, never>({
    ...rest,
    fields: { ...target, ...rest.fields },
    call: (input) => callAdmin(input as unknown as OperatorTarget, (admin) => call(admin, input))
  });
