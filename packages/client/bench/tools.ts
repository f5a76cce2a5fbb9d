/**
 * What the tools cost in a conversation: tokens (characters / 4) of the list, and of answers about a two-hour
 * talk.
 *
 * node packages/client/bench/tools.ts [NAME=tools.json …]     compares lists of other servers
 */
import { readFileSync } from "node:fs";
import { TOOL_DEFINITIONS, TOOL_LIST_TOKENS_MAX } from "../src/tools/definitions.ts";
import { callTool, type ToolAnswer } from "../src/tools/index.ts";
import { callOn, ID, sourceOf } from "../test/tools/FakeSource.ts";

const CHARACTERS_PER_TOKEN = 4;
const tokensOf = (value: unknown): number =>
  Math.round((JSON.stringify(value) ?? "").length / CHARACTERS_PER_TOKEN);

const SEGMENTS = 2_400;
const segments = Array.from({ length: SEGMENTS }, (_, n) => ({
  startSec: n * 3,
  endSec: n * 3 + 3,
  text: `Sentence ${n} of the talk, about as long as people speak, on matter ${n % 97}.`
}));
const words = segments.map(({ text }) => text).join("\n");

const call = callOn(
  sourceOf({
    files: {
      "transcript.txt": words,
      "transcript.json": JSON.stringify({ language: "en", segments }),
      "thumbnail.jpg": "picture"
    }
  })
);

const ANSWERS: ReadonlyArray<readonly [string, string, Record<string, unknown>]> = [
  ["extract, done", "extract", { url: "https://example.com/" }],
  ["read_transcript, a page", "read_transcript", { id: ID }],
  ["read_transcript, a search", "read_transcript", { id: ID, search: "sentence 1234 of" }]
];

/** Tokens of both forms: a host shows the model one of the two. */
const seenOf = ({ content, structuredContent }: ToolAnswer) => [
  tokensOf(content.filter(({ type }) => type === "text")),
  tokensOf(structuredContent)
];

const own = tokensOf(TOOL_DEFINITIONS);
console.log(
  `list of tools: ${own} tokens for ${TOOL_DEFINITIONS.length} tools; limit ${TOOL_LIST_TOKENS_MAX}`
);
for (const argument of process.argv.slice(2)) {
  const [name = "", file = ""] = argument.split("=");
  const tools = JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<unknown>;
  const tokens = tokensOf(tools);
  console.log(
    `  ${name}: ${tokens} tokens for ${tools.length} tools, ${(tokens / own).toFixed(2)} times Winnow`
  );
}
console.log(`whole transcript: ${tokensOf(words)} tokens`);
for (const [title, name, input] of ANSWERS) {
  const [text, structured] = seenOf(await callTool(name, input, call));
  console.log(`${title}: ${text} tokens as text, ${structured} as structured content`);
}
