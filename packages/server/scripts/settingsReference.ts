/** Prints docs/reference/settings.md from the table of settings. */
import { defaultText } from "../src/settings/Config.ts";
import { type Setting, SETTING_ROWS } from "../src/settings/SettingsTable.ts";

/** Choices, ranges and examples that the meaning does not name. */
const valuesOf = ({ expected, meaning }: Setting): string => {
  const named = expected.match(/^one of|`\w+`|\d{2,}/gu) ?? [];
  const isTold = named.every((each) => meaning.includes(each));
  return isTold ? "" : `; ${expected.replace(/^.*?(?=such as)|^.* from (?=\d)/u, "")}`;
};

const defaultOf = (row: Setting): string => {
  const text = defaultText(row);
  return ["unset", "empty", "none"].includes(text) ? "" : ` (${text})`;
};

const line = (row: Setting): string =>
  `- \`${row.name}\`${defaultOf(row)}: ${row.meaning}${valuesOf(row)}${row.secret === true ? " (secret)" : ""}`;

console.log(`<!-- Generated from server/src/settings/SettingsTable by packages/server/scripts/settingsReference.ts: do not edit. -->

# Settings

A server reads them from its environment; \`createWinnow\` takes them as options, without \`WINNOW_\` and in camelCase (\`WINNOW_DATA_DIR\` is \`dataDir\`, \`OPENAI_API_KEY\` is \`openaiApiKey\`). An empty variable counts as unset, and an unknown \`WINNOW_\` variable is logged. The server does not start with an invalid value; the message names the setting and never shows a secret. Defaults are in brackets; without one, a setting is unset.

${SETTING_ROWS.map(([, row]) => line(row)).join("\n")}`);
