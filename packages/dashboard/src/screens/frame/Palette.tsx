/** Ctrl+K: an extraction, a batch, a schema or a screen, opened by a part of its name. */
import { useQuery } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useBatches } from "../../data/batches.ts";
import { winnow } from "../../data/client.ts";
import { useSchemas } from "../../data/schemas.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Form } from "../../parts/Form.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { navWords, tabWords, words } from "../../words/words.ts";
import { paletteWords } from "./helpWords.ts";

/** Of each kind, so that all have a place. */
const SHOWN_MAX = 5;

type Section = keyof Pick<typeof navWords, "extractions" | "results" | "schemas" | "developers" | "settings">;

interface Entry {
  readonly name: string;
  readonly kind: string;
  /** As `href` takes it. */
  readonly screen: string;
}

const useEntries = (text: string, screens: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const { items: batches = [] } = useBatches(true);
  const { data: schemas = [] } = useSchemas();
  const { data: runs } = useQuery({
    queryKey: ["palette", text],
    queryFn: ({ signal }) => winnow.extractions.page({ q: text || undefined, limit: SHOWN_MAX, signal })
  });
  const fitting = (entries: ReadonlyArray<Entry>) =>
    entries.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())).slice(0, SHOWN_MAX);
  return [
    ...fitting(screens),
    ...(runs?.data ?? []).map((run) => ({
      name: nameOf(run),
      kind: words.extraction,
      screen: `runs/${run.id}`
    })),
    ...fitting(batches.map(({ id, name }) => ({ name, kind: paletteWords.batch, screen: `batches/${id}` }))),
    ...fitting(schemas.map(({ id, name }) => ({ name, kind: paletteWords.schema, screen: `schemas/${id}` })))
  ];
};

interface PaletteProps {
  readonly sections: ReadonlyArray<
    readonly [section: Section, icon: string, tabs: ReadonlyArray<keyof typeof tabWords>]
  >;
  readonly onClose: () => void;
}

const screensOf = (sections: PaletteProps["sections"]): ReadonlyArray<Entry> =>
  sections.flatMap(([section, , tabs]) =>
    tabs.length === 0
      ? [{ name: navWords[section], kind: "", screen: section === "extractions" ? "" : section }]
      : tabs.map((tab) => ({ name: tabWords[tab], kind: navWords[section], screen: `${section}/${tab}` }))
  );

export const Palette = ({ sections, onClose }: PaletteProps) => {
  const { route } = useLocation();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const entries = useEntries(text.trim(), screensOf(sections));
  const open = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    route(href(entry.screen));
  };
  return (
    <Dialog title={paletteWords.title} onClose={onClose}>
      <Form onSubmit={() => open(entries[at])}>
        <input
          role="combobox"
          aria-label={paletteWords.title}
          aria-expanded="true"
          aria-controls="palette"
          aria-activedescendant={`palette-${at}`}
          autocomplete="off"
          placeholder={paletteWords.hint}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            setAt((at + step + entries.length) % Math.max(1, entries.length));
          }}
        />
      </Form>
      <ul id="palette" role="listbox" aria-label={navWords.label}>
        {entries.map((entry, index) => (
          <li
            key={entry.screen}
            id={`palette-${index}`}
            class="row"
            role="option"
            aria-selected={index === at}
            onClick={() => open(entry)}
          >
            <span class="grow one-line" dir="auto">
              {entry.name}
            </span>
            <span class="hint">{entry.kind}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
