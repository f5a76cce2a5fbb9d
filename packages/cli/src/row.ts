/**
 * A command as a row of a table: its word, what it is about, its fields, what it calls, and how the answer is shown.
 * What does more than one call is written out. `logout` of connection/loginCommands.ts is a row with words, `list` of
 * modelCommands.ts one with columns. Tests: accountCommands.test.ts.
 */
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import { asJson } from "./flags.ts";
import type { CliFailed } from "./Inputs.ts";
import { printResult, printTable, type Cells } from "./Output.ts";

type Fields = Command.Command.Config;
type Input<Of extends Fields> = Command.Command.Config.Infer<Of>;

type ItemOf<Answer> = Answer extends ReadonlyArray<infer Item> ? Item : never;

interface Row<Word extends string, Of extends Fields, Answer, R> {
  readonly word: Word;
  readonly about: string;
  readonly fields: Of;
  readonly call: (input: Input<Of>) => Effect.Effect<Answer, CliFailed, R>;
  /** Of each item, if the answer is a list; otherwise `words` say it. */
  readonly columns?: (item: NoInfer<ItemOf<Answer>>) => Cells;
  readonly words?: (answer: NoInfer<Answer>, input: Input<Of>) => string;
}

export const row = <const Word extends string, Of extends Fields, Answer, R>({
  word,
  about,
  fields,
  call,
  columns,
  words
}: Row<Word, Of, Answer, R>) =>
  Command.make(word, { ...fields, json: asJson }, (given) => {
    const input = given as Input<Of>;
    const { json } = given as { readonly json: boolean };
    return Effect.flatMap(call(input), (answer) =>
      columns === undefined
        ? printResult(json, answer, words?.(answer, input) ?? "")
        : printTable(json, answer as ReadonlyArray<ItemOf<Answer>>, columns)
    );
  }).pipe(Command.withDescription(about));
