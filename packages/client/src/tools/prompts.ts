/**
 * The prompts that hosts offer to people, mostly as slash commands: one, which extracts an object from a URL.
 * Tests: the server's McpHttp.test.ts.
 */
export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: ReadonlyArray<{
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }>;
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

const ARGUMENT_CHARS_MAX = 2_000;

const argumentOf = (given: Readonly<Record<string, string>>, name: string): string =>
  (given[name] ?? "").slice(0, ARGUMENT_CHARS_MAX);

export const PROMPTS: ReadonlyArray<PromptDefinition> = [
  {
    name: "extract-with-schema",
    title: "Extract an object from a URL",
    description: "Writes a JSON Schema for the fields you want, shows the price and extracts them.",
    arguments: [
      { name: "url", description: "URL of a video, photo post or article.", required: true },
      {
        name: "fields",
        description: "What to extract, in your own words: title, speakers, prices mentioned …",
        required: true
      }
    ],
    text: (given) =>
      [
        `Extract this from ${argumentOf(given, "url")}: ${argumentOf(given, "fields")}`,
        "",
        "Write a JSON Schema (an object; each property has a description and is optional if it may be " +
          "absent). Call quote with the URL and the schema, and tell me the price before you call extract " +
          "with both. Then show the values, each with its evidence, and say which were not found."
      ].join("\n")
  }
];
