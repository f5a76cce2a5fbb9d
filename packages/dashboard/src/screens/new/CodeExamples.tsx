/** Code that makes the same submit. */
import type { Submission } from "@winnow/client";
import { useState } from "preact/hooks";
import { SERVER } from "../../data/addresses.ts";
import { Code } from "../../parts/Copy.tsx";
import { words } from "../../words/words.ts";
import { CODE_KINDS, codeOf, type CodeKind } from "./code.ts";

export const CodeExamples = ({ body }: { readonly body: Submission }) => {
  const [kind, setKind] = useState<CodeKind>("curl");
  return (
    <details class="panel">
      <summary>{words.code.title}</summary>
      <div class="stack tight">
        <div class="tabs" role="group" aria-label={words.code.title}>
          {CODE_KINDS.map((each) => (
            <button
              key={each}
              class="button small"
              type="button"
              aria-pressed={kind === each}
              onClick={() => setKind(each)}
            >
              {words.code.kinds[each]}
            </button>
          ))}
        </div>
        <Code code={codeOf(kind, body, SERVER.href.replace(/\/$/u, ""))} label={words.code.kinds[kind]} />
      </div>
    </details>
  );
};
