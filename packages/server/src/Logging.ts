/**
 * Logs go to standard error: readable on a terminal, JSON lines otherwise. Standard output is for results.
 * Secrets are Redacted before they get here.
 */
import { escapeInvisible } from "@winnow/core/domain/text/CleanText";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import type * as EffectLogLevel from "effect/LogLevel";
import * as References from "effect/References";
import * as Result from "effect/Result";
import * as TerminalText from "./TerminalText.ts";
import { readSettings, type LogLevel } from "./settings/Config.ts";

export const LEVELS: Readonly<Record<LogLevel, EffectLogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
};

/**
 * Fields of an error may contain anything: those of pg contain the connection, with the key that cancels its
 * statements.
 */
const textOfPart = (part: unknown): string => {
  if (typeof part === "string") return part;
  return part instanceof Error ? String(part) : (JSON.stringify(part) ?? String(part));
};

export const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message]).map(textOfPart).join(" ");

type Line = typeof Logger.formatStructured extends Logger.Logger<unknown, infer Entry> ? Entry : never;

/**
 * A field has the same type in every line, so that log indexes accept all of them: text is text, and null is
 * omitted.
 */
const oneTyped = ({ message, annotations, ...line }: Line) => ({
  ...line,
  message: textOf(message),
  annotations: Object.fromEntries(
    Object.entries(annotations)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : value])
  )
});

/** Log lines are shown on terminals too. */
const json = Logger.map(Logger.formatStructured, (line) => escapeInvisible(JSON.stringify(oneTyped(line))));

export const layer = (level: LogLevel, isTerminal: boolean): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([isTerminal ? Logger.consolePretty() : Logger.withConsoleError(json)]),
    TerminalText.layer,
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, LEVELS[level])
  );

/** The level of WINNOW_LOG_LEVEL. Commands other than the server only log warnings by default. */
export const fromEnvironment = (isServer: boolean): Layer.Layer<never> => {
  const chosen = (process.env["WINNOW_LOG_LEVEL"] ?? "") !== "";
  const settings = readSettings(process.env);
  const level = chosen && Result.isSuccess(settings) ? settings.success.logLevel : isServer ? "info" : "warn";
  return layer(level, process.stderr.isTTY);
};
