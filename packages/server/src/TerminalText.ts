/**
 * Sanitises terminal output: untrusted text must not move the cursor, hide text or imitate other output. Colours
 * come only from the program itself.
 */
import { formatWithOptions } from "node:util";
import { cleanText, escapeInvisible } from "@winnow/core/domain/text/CleanText";
import * as Console from "effect/Console";
import * as Layer from "effect/Layer";

/** Select Graphic Rendition (ECMA-48, 8.3.117): colours of help texts and logs. */
// oxlint-disable-next-line no-control-regex -- colour codes begin with a control character
const COLOUR = /(\u001b\[[\d;]*m)/u;

/** Sanitised except for colours. */
export const terminalText = (text: string): string =>
  text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : cleanText(part)))
    .join("");

/** JSON with invisible characters escaped, so that they are shown and parsed, but have no effect on a terminal. */
export const jsonText = (value: unknown, indent = 2): string =>
  escapeInvisible(JSON.stringify(value, null, indent));

const written = (args: ReadonlyArray<unknown>): string => terminalText(formatWithOptions({}, ...args));

/** The last step of all commands and logs: everything written to the terminal passes through it. */
export const layer: Layer.Layer<never> = Layer.sync(Console.Console, () =>
  Object.assign(Object.create(globalThis.console) as Console.Console, {
    log: (...args: ReadonlyArray<unknown>) => globalThis.console.log(written(args)),
    error: (...args: ReadonlyArray<unknown>) => globalThis.console.error(written(args))
  })
);
