/**
 * What the program writes to a terminal: whatever a stranger had a hand in moves no cursor, hides nothing, and
 * poses as nothing else. Colours are the program's own.
 */
import { formatWithOptions } from "node:util";
import { cleanText, escapeUnseen } from "@winnow/core/domain/CleanText";
import * as Console from "effect/Console";
import * as Layer from "effect/Layer";

/** Select Graphic Rendition (ECMA-48, 8.3.117): how help texts and logs are coloured. */
// oxlint-disable-next-line no-control-regex -- it is what is kept
const COLOUR = /(\u001b\[[\d;]*m)/u;

/** Cleaned, but for colours. */
export const terminalText = (text: string): string =>
  text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : cleanText(part)))
    .join("");

/** For people and programs alike: nothing is lost, and nothing is unseen. */
export const jsonText = (value: unknown, indent = 2): string =>
  escapeUnseen(JSON.stringify(value, null, indent));

const written = (args: ReadonlyArray<unknown>): string => terminalText(formatWithOptions({}, ...args));

/** The last edge for all commands and for logs: nothing reaches the terminal but through it. */
export const layer: Layer.Layer<never> = Layer.sync(Console.Console, () =>
  Object.assign(Object.create(globalThis.console) as Console.Console, {
    log: (...args: ReadonlyArray<unknown>) => globalThis.console.log(written(args)),
    error: (...args: ReadonlyArray<unknown>) => globalThis.console.error(written(args))
  })
);
