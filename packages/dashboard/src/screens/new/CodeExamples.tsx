/** Code that makes the same submit. */
import type { Submission } from "@winnow/client";
import { useState } from "preact/hooks";
import { SERVER } from "../../data/addresses.ts";
import { Code } from "../../parts/Copy.tsx";
import { codeWords } from "./words.ts";

// Code for the form's submit, to copy. Pure.

const CODE_KINDS = ["curl", "typescript", "cli"] as const;
type CodeKind = (typeof CODE_KINDS)[number];

/** Quoted for a shell: single quotes keep everything literal. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (body: Submission, server: string): string =>
  [
    `curl ${server}/v1/extractions \\`,
    `  -H "x-api-key: $WINNOW_API_KEY" \\`,
    `  -H "content-type: application/json" \\`,
    `  -d ${quoted(JSON.stringify(body))}`
  ].join("\n");

const typescript = (body: Submission, server: string): string =>
  [
    `import { Winnow } from "@winnow/client";`,
    "",
    `const winnow = new Winnow({ apiKey: process.env.WINNOW_API_KEY!, baseUrl: ${JSON.stringify(server)} });`,
    `const result = await winnow.extract(${JSON.stringify(body, null, 2)});`,
    `console.log(result.${body.schema === undefined && body.schemaId === undefined ? "artifacts" : "extraction"});`
  ].join("\n");

/** Options that the command line does not have. */
const API_ONLY = ["schemaId", "policy", "force", "auto", "maxSpendCredits", "webhookUrl"] as const;

const cli = (body: Submission): string => {
  const parts = body.inputs ?? body.parts;
  const flags = [
    ...(parts === undefined ? [] : [`--parts ${parts.join(",")}`]),
    ...(body.schema === undefined ? [] : ["--schema schema.json"]),
    ...(body.prompt === undefined ? [] : [`--prompt ${quoted(body.prompt)}`]),
    ...(body.language === undefined ? [] : [`--language ${body.language}`])
  ];
  const missing = API_ONLY.filter((name) => body[name] !== undefined);
  const note = missing.length === 0 ? [] : [`# API only: ${missing.join(", ")}`];
  return [...note, [`winnow extract ${quoted(body.url ?? "")}`, ...flags].join(" \\\n  ")].join("\n");
};

/** `server` is the base URL of the service, without `/v1` and a trailing slash. */
export const codeOf = (kind: CodeKind, body: Submission, server: string): string =>
  kind === "curl" ? curl(body, server) : kind === "typescript" ? typescript(body, server) : cli(body);

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
        <Code code={codeOf(kind, body, SERVER.href.replace(/\/$/u, ""))} label={codeWords.kinds[kind]} />
      </div>
    </details>
  );
};
