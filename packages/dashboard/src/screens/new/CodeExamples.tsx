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

const flagOf = (field: string, value: unknown): ReadonlyArray<string> => {
  const name = `--${field.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === undefined || value === false) return [];
  return [value === true ? name : `${name}=${typeof value === "number" ? value : shellWord(String(value))}`];
};

const cli = ({ url, fromExtraction, schema, schemaId, range, ...fields }: Submission, server: string) => {
  const stretch = { from: range?.startSec, to: range?.endSec };
  const flags = { url: server, schema: schema === undefined ? schemaId : "-", ...stretch, ...fields };
  const command = [
    `winnow submit ${shellWord(url ?? fromExtraction ?? "")}`,
    ...Object.entries(flags).flatMap(([field, value]) => flagOf(field, value))
  ].join(" \\\n  ");
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
