/** The raw result. */
import { useState } from "preact/hooks";
import { Code } from "../../parts/Copy.tsx";
import { words } from "../../words/words.ts";

export const RawJson = ({ value }: { readonly value: unknown }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.run.rawJson}</summary>
      {isOpen ? <Code code={JSON.stringify(value, null, 2)} label={words.run.rawJson} /> : null}
    </details>
  );
};
