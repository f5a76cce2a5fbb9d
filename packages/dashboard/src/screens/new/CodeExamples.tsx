/** Code that makes the same submit. */
import type { Submission } from "@winnow/client";
import { codeSample, SAMPLE_LANGUAGES, shellWord } from "@winnow/client/samples";
import { useState } from "preact/hooks";
import { href, SERVER } from "../../data/addresses.ts";
import { Tabs } from "../../parts/Tabs.tsx";
import { Code } from "../../parts/Copy.tsx";
import { codeWords } from "./words.ts";

// Code for the form's submit, to copy. Pure.

export const CODE_KINDS = [...SAMPLE_LANGUAGES, "cli"] as const;
type CodeKind = (typeof CODE_KINDS)[number];

/** Not as a flag of its own name. */
const PLACES: Readonly<Record<string, string>> = { schemaId: "schema" };
const ELSEWHERE: ReadonlySet<string> = new Set(["url", "fromExtraction", "schema"]);

const flagNameOf = (field: string): string =>
  PLACES[field] ?? field.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

const flagOf = (name: string, value: unknown): string | null => {
  if (value === undefined || value === false) return null;
  if (value === true) return `--${name}`;
  return `--${name}=${typeof value === "number" ? value : shellWord(String(value))}`;
};

const cli = (body: Submission, server: string): string => {
  const { schema } = body;
  const all = [
    `winnow submit ${shellWord(body.url ?? body.fromExtraction ?? "")}`,
    flagOf("url", server),
    schema === undefined ? null : flagOf("schema", "-"),
    ...Object.entries(body).map(([field, value]) =>
      ELSEWHERE.has(field) ? null : flagOf(flagNameOf(field), value)
    )
  ];
  const command = all.filter((part) => part !== null).join(" \\\n  ");
  return schema === undefined ? command : `${command} <<'JSON'\n${JSON.stringify(schema)}\nJSON`;
};

/** `server` is the base URL of the service, without `/v1` and a trailing slash. */
export const codeOf = (kind: CodeKind, body: Submission, server: string): string =>
  kind === "cli"
    ? cli(body, server)
    : codeSample(kind, {
        server,
        method: "POST",
        path: "/v1/extractions",
        query: {},
        body: { value: body, isForm: false },
        scheme: "apiKey",
        answer: "json",
        file: "",
        call: { name: "extract", parameters: [] }
      });

export const CodeExamples = ({ body }: { readonly body: Submission }) => {
  const [kind, setKind] = useState<CodeKind>("curl");
  return (
    <details class="panel">
      <summary>{codeWords.title}</summary>
      <div class="stack tight">
        <Tabs
          label={codeWords.title}
          tabs={CODE_KINDS.map((each) => [each, codeWords.kinds[each]])}
          shown={kind}
          onShow={setKind}
        />
        <p class="hint">
          {codeWords.key} <a href={href("developers/keys")}>{codeWords.makeKey}</a>
        </p>
        <Code code={codeOf(kind, body, SERVER.href.replace(/\/$/u, ""))} label={codeWords.kinds[kind]} />
      </div>
    </details>
  );
};
