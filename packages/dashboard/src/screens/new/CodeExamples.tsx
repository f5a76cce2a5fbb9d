/** Code that makes the same submit. */
import type { Submission } from "@winnow/client";
import { useState } from "preact/hooks";
import { href, SERVER } from "../../data/addresses.ts";
import { Code } from "../../parts/Copy.tsx";
import type { SubmissionField } from "./draft.ts";
import { codeWords } from "./words.ts";

// Code for the form's submit, to copy. Pure.

export const CODE_KINDS = ["curl", "typescript", "python", "cli"] as const;
type CodeKind = (typeof CODE_KINDS)[number];

/** Quoted for a shell: single quotes keep everything literal. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (body: Submission, server: string): string =>
  [
    `curl ${quoted(`${server}/v1/extractions`)} \\`,
    `  -H "x-api-key: $WINNOW_API_KEY" \\`,
    `  -H "content-type: application/json" \\`,
    `  -d ${quoted(JSON.stringify(body))}`
  ].join("\n");

const typescript = (body: Submission, server: string): string =>
  [
    `import { Winnow } from "@winnow/client";`,
    "",
    `const winnow = new Winnow({ apiKey: process.env["WINNOW_API_KEY"], baseUrl: ${JSON.stringify(server)} });`,
    `const result = await winnow.extract(${JSON.stringify(body, null, 2)});`,
    "console.log(result);"
  ].join("\n");

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** The texts of JSON are texts of Python too. */
const pythonOf = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|true|false|null/gu,
    (token) => PYTHON_WORDS[token] ?? token
  );

const python = (body: Submission, server: string): string =>
  [
    "import os",
    "import requests",
    "",
    "response = requests.post(",
    `    ${JSON.stringify(`${server}/v1/extractions`)},`,
    `    headers={"x-api-key": os.environ["WINNOW_API_KEY"]},`,
    `    json=${pythonOf(body).replaceAll("\n", "\n    ")},`,
    ")",
    "response.raise_for_status()",
    "print(response.json())"
  ].join("\n");

/** The name of the flag of each field of a submit; null for what stands elsewhere in the command. */
const FLAGS: { readonly [Field in SubmissionField]: string | null } = {
  url: null,
  fromExtraction: null,
  schema: null,
  schemaId: "schema",
  parts: "parts",
  inputs: "inputs",
  prompt: "prompt",
  language: "language",
  policy: "policy",
  evidence: "evidence",
  webhookUrl: "webhook-url",
  auto: "auto",
  maxSpendCredits: "max-spend-credits",
  force: "force",
  maxAgeSeconds: "max-age-seconds",
  speech: "speech",
  maxCredits: "max-credits"
};

const flagOf = (name: string, value: unknown): string | null => {
  if (value === undefined || value === false) return null;
  if (value === true) return `--${name}`;
  return `--${name}=${typeof value === "number" ? value : quoted(String(value))}`;
};

const cli = (body: Submission, server: string): string => {
  const { schema } = body;
  const flags = Object.entries(FLAGS).map(([field, name]) =>
    name === null ? null : flagOf(name, body[field as SubmissionField])
  );
  const all = [
    `winnow submit ${quoted(body.url ?? body.fromExtraction ?? "")}`,
    flagOf("url", server),
    schema === undefined ? null : flagOf("schema", "-"),
    ...flags
  ];
  const command = all.filter((part) => part !== null).join(" \\\n  ");
  return schema === undefined ? command : `${command} <<'JSON'\n${JSON.stringify(schema)}\nJSON`;
};

const LANGUAGES = { curl, typescript, python, cli };

/** `server` is the base URL of the service, without `/v1` and a trailing slash. */
export const codeOf = (kind: CodeKind, body: Submission, server: string): string =>
  LANGUAGES[kind](body, server);

export const CodeExamples = ({ body }: { readonly body: Submission }) => {
  const [kind, setKind] = useState<CodeKind>("curl");
  return (
    <details class="panel">
      <summary>{codeWords.title}</summary>
      <div class="stack tight">
        <div class="tabs" role="group" aria-label={codeWords.title}>
          {CODE_KINDS.map((each) => (
            <button
              key={each}
              class="button small"
              type="button"
              aria-pressed={kind === each}
              onClick={() => setKind(each)}
            >
              {codeWords.kinds[each]}
            </button>
          ))}
        </div>
        <p class="hint">
          {codeWords.key} <a href={href("keys")}>{codeWords.makeKey}</a>
        </p>
        <Code code={codeOf(kind, body, SERVER.href.replace(/\/$/u, ""))} label={codeWords.kinds[kind]} />
      </div>
    </details>
  );
};
