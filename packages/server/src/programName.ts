/** How this program was called, so that commands in messages can be pasted. */
import { join, resolve } from "node:path";
import { shellWord } from "@winnow/client/samples";

/** The script of a package.json that npm runs; npx is one too. */
const script = process.env["npm_lifecycle_event"];

/** Only a checkout has sources. */
const isCheckout = import.meta.url.endsWith(".ts") && (script === "start" || script === "winnow");

/** Another program that has this package installed, and so `winnow` beside its own packages. */
const isEmbedded =
  import.meta.dirname.includes("node_modules") && !/\bwinnow(?:\.mjs)?$/u.test(process.argv[1] ?? "");

/** Without -s, npm would print two lines of its own on standard output. */
export const WINNOW = isCheckout
  ? "npm run -s winnow --"
  : script === "npx" || isEmbedded
    ? "npx winnow"
    : "winnow";

/** The data folder of the command if it is not told another: `npm run winnow` knows its checkout. */
const ownDataDir = resolve(isCheckout ? join(import.meta.dirname, "../../..") : "", ".winnow");

/** The program, told the folder that the command is about unless it finds it by itself. */
export const winnowOn = (dataDir: string): string =>
  resolve(dataDir) === ownDataDir ? WINNOW : `WINNOW_DATA_DIR=${shellWord(resolve(dataDir))} ${WINNOW}`;

/**
 * What to type, as it can be pasted here: `winnow …` about this data folder, `apt-get …`, or advice in words. In a
 * sentence, the command stands after a colon.
 */
export const pasteable = (remedy: string, dataDir: string): string =>
  remedy
    .replaceAll(/(?<=^|: )winnow /gmu, `${winnowOn(dataDir)} `)
    .replaceAll(/(?<=^|: )(?=apt-get )/gmu, process.getuid?.() === 0 ? "" : "sudo ");
