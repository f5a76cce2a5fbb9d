/**
 * What a person picks in a host, a slash command in most: one prompt, for an object out of a URL.
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
    description: "Writes a JSON Schema for what you want to know, shows the price and extracts it.",
    arguments: [
      { name: "url", description: "Of a video, photo post or article.", required: true },
      {
        name: "fields",
        description: "What to read out of it, in words: title, speakers, prices named …",
        required: true
      }
    ],
    text: (given) =>
      [
        `Read this out of ${argumentOf(given, "url")}: ${argumentOf(given, "fields")}`,
        "",
        "Write a JSON Schema (an object, each property with a description; optional what may be absent). Call quote with the URL and the schema, and tell me the price before you call extract with both. Then show the values, each with its evidence, and say which were not found."
      ].join("\n")
  }
];
