/** How this program was called, so that commands in messages can be pasted. */

/** The script of a package.json that npm runs; npx is one too. */
const script = process.env["npm_lifecycle_event"];

/** Only a checkout has sources. */
const isCheckout = import.meta.url.endsWith(".ts") && (script === "start" || script === "winnow");

/** Without -s, npm would print two lines of its own on standard output. */
export const WINNOW = isCheckout ? "npm run -s winnow --" : script === "npx" ? "npx winnow" : "winnow";

/** What to type, as it can be pasted here: `winnow …`, `apt-get …`, or advice in words. */
export const pasteable = (remedy: string): string =>
  remedy
    .replace(/^winnow /u, `${WINNOW} `)
    .replace(/^(?=apt-get )/u, process.getuid?.() === 0 ? "" : "sudo ");
