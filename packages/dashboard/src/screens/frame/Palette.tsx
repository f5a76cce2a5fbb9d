/** Ctrl+K: an extraction, a batch, a schema or a screen, opened by a part of its name. Tests: everyday.test.ts. */
import { useQuery } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useBatches } from "../../data/batches.ts";
import { waitMsOf } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { isPredefined, useSchemas } from "../../data/schemas.ts";
import { useSettled } from "../../data/settled.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Form } from "../../parts/Form.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { navWords, words } from "../../words/words.ts";
import { paletteWords } from "./helpWords.ts";
import { SCREENS, type Entry } from "./sections.ts";

/** Of each kind, so that all have a place. */
const SHOWN_MAX = 5;

const useEntries = (text: string) => {
  const { items: batches = [] } = useBatches(true);
  const { data: schemas = [] } = useSchemas();
  const isTyped = useSettled(text) === text;
  const query = useQuery({
    queryKey: ["palette", text],
    queryFn: ({ signal }) => winnow.extractions.page({ q: text || undefined, limit: SHOWN_MAX, signal }),
    enabled: isTyped,
    retry: (failures, error) => failures < 1 && waitMsOf(error) > 0,
    retryDelay: (_, error) => waitMsOf(error)
  });
  // By its kind too, which is the entry of the navigation that a tab belongs to.
  const fitting = (entries: ReadonlyArray<Entry>) =>
    entries
      .filter(({ name, kind }) => `${name}\n${kind}`.toLowerCase().includes(text.toLowerCase()))
      .slice(0, SHOWN_MAX);
  const entries: ReadonlyArray<Entry> = [
    ...fitting(SCREENS),
    ...(query.data?.data ?? []).map((run) => ({
      name: nameOf(run),
      kind: words.extraction,
      address: href(`runs/${run.id}`)
    })),
    ...fitting(
      batches.map(({ id, name }) => ({ name, kind: paletteWords.batch, address: href(`batches/${id}`) }))
    ),
    ...fitting(
      schemas.map((schema) => ({
        name: schema.name,
        kind: isPredefined(schema) ? paletteWords.schema : paletteWords.version(schema.version),
        address: href(`schemas/${schema.id}`)
      }))
    )
  ];
  return { entries, query };
};

/** The selected entry, which stays it when answers put others before it; the first one of a new text. */
const useSelection = (entries: ReadonlyArray<Entry>) => {
  const [chosen, choose] = useState<string>();
  const at = Math.max(
    0,
    entries.findIndex(({ address }) => address === chosen)
  );
  const selected = entries[at];
  useEffect(() => choose(selected?.address), [selected?.address]);
  const step = (by: number): void =>
    choose(entries[(at + by + entries.length) % Math.max(1, entries.length)]?.address);
  return { at, selected, step, reset: () => choose(undefined) };
};

export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const { route } = useLocation();
  const [text, setText] = useState("");
  const { entries, query } = useEntries(text.trim());
  const { at, selected, step, reset } = useSelection(entries);
  const open = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    if (entry.address.startsWith(href(""))) route(entry.address);
    else location.assign(entry.address);
  };
  return (
    <Dialog title={paletteWords.title} onClose={onClose}>
      <Form onSubmit={() => open(selected)}>
        <input
          role="combobox"
          aria-label={paletteWords.title}
          aria-expanded={entries.length > 0}
          aria-controls="palette"
          aria-activedescendant={selected === undefined ? undefined : `palette-${at}`}
          autocomplete="off"
          placeholder={paletteWords.hint}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            reset();
          }}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            // They move among the candidates of an input method.
            if (by === undefined || event.isComposing) return;
            event.preventDefault();
            step(by);
          }}
        />
      </Form>
      <ul id="palette" role="listbox" aria-label={navWords.label}>
        {entries.map((entry, index) => (
          <li
            key={entry.address}
            id={`palette-${index}`}
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
      <Problem error={query.error} retry={() => void query.refetch()} />
      <p class="hint" role="status">
        {entries.length > 0 || !query.isSuccess ? "" : paletteWords.none}
      </p>
    </Dialog>
  );
};
