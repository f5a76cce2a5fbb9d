/** How errors are shown: first what is wrong, on standard error, with what was probably meant; then the usage in short. */
import { styleText } from "node:util";
import type * as CliError from "effect/cli/CliError";
import * as CliOutput from "effect/cli/CliOutput";
import type { HelpDoc } from "effect/cli/HelpDoc";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`;

const wordsOf = (error: CliError.CliError): string => {
  if (error._tag === "UnrecognizedOption") {
    return `There is no flag ${error.option}.${meant(error.suggestions)}`;
  }
  if (error._tag === "UnknownSubcommand") {
    const command = [...(error.parent ?? []).slice(1), error.subcommand].join(" ");
    return `There is no command "${command}".${meant(error.suggestions)}`;
  }
  return error.message;
};

export const errorLine = (words: string): string =>
  `${styleText("red", "error:", { stream: process.stderr })} ${words}`;

const line = (error: CliError.CliError): string => errorLine(wordsOf(error));

const usageOf = ({ usage }: HelpDoc, commandPath: ReadonlyArray<string>): string =>
  `usage: ${usage}\n       ${commandPath.join(" ")} --help says more`;

const present = (event: CliOutput.Presenter.Event): Effect.Effect<void> => {
  if (event._tag === "InvalidInvocation") {
    const lines = [...event.errors.map(line), usageOf(event.helpDoc, event.commandPath)];
    return Console.error(lines.join("\n"));
  }
  if (event._tag === "Help" && event.reason === "Implicit") {
    return Effect.flatMap(CliOutput.Formatter, ({ formatHelpDoc }) =>
      Console.error(formatHelpDoc(event.helpDoc))
    );
  }
  return CliOutput.defaultPresenter.present(event);
};

export const layer: Layer.Layer<never> = Layer.merge(
  CliOutput.layerPresenter({ present }),
  CliOutput.layer({
    ...CliOutput.defaultFormatter(),
    formatCliError: wordsOf,
    formatError: line,
    formatErrors: (errors) => errors.map(line).join("\n")
  })
);
