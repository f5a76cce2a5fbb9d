/**
 * How errors and help are shown. Errors say on standard error what is wrong and what was probably meant, then the usage in
 * short; help has the usage first, and what is long after it. Tests: winnow.test.ts.
 */
import { styleText } from "node:util";
import type * as CliError from "effect/cli/CliError";
import * as CliOutput from "effect/cli/CliOutput";
import type { HelpDoc } from "effect/cli/HelpDoc";
import * as Console from "effect/Console";
import * as Context from "effect/Context";
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

/** What a command's help says after everything else. */
export const Appendix = Context.Reference<string>("@winnow/cli/Appendix", { defaultValue: () => "" });

const formatter = CliOutput.defaultFormatter({ globalFlags: "none" });
const rootFormatter = CliOutput.defaultFormatter();

/** Nobody sets them: the first page of help has those that are used. */
const RARE_FLAGS: ReadonlySet<string> = new Set(["wizard"]);

const helpText = (doc: HelpDoc): string => {
  const isRoot = doc.subcommands?.some(({ group }) => group !== undefined) === true;
  const appendix = Context.get(doc.annotations, Appendix);
  const globalFlags = doc.globalFlags?.filter(({ name }) => !RARE_FLAGS.has(name)) ?? [];
  const text = isRoot ? rootFormatter.formatHelpDoc({ ...doc, globalFlags }) : formatter.formatHelpDoc(doc);
  return appendix === "" ? text : `${text.trimEnd()}\n\n${appendix}`;
};

export const layer: Layer.Layer<never> = Layer.merge(
  CliOutput.layerPresenter({ present }),
  CliOutput.layer({
    ...formatter,
    formatHelpDoc: helpText,
    formatCliError: wordsOf,
    formatError: line,
    formatErrors: (errors) => errors.map(line).join("\n")
  })
);
