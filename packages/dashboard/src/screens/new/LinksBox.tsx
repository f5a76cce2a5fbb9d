/** The field for one link or many: typed, pasted, dropped or chosen as a file. Tests: batches.test.ts, draft.test.ts. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { BATCH_ITEMS_MAX } from "@winnow/client";
import { allLinks, isWebUrl, readLinks, withScheme } from "@winnow/client/links";
import { Samples } from "../../parts/Samples.tsx";
import { boxWords, draftWords } from "./words.ts";

/** Longer pastes are read like files: as text in the field, they would freeze the page. */
const TYPED_CHARACTERS_MAX = 200_000;

const ROWS_MAX = 10;

/** Also what is no link: the service says why it refuses it. */
const linksOf = async (file: Blob, name?: string): Promise<ReadonlyArray<string>> => {
  const links = await readLinks(file.stream(), { name, maxLinks: BATCH_ITEMS_MAX });
  return allLinks(links).map(({ url }) => url);
};

/** Several on one line, which would be read as one with spaces in it. */
export const isSeveral = (text: string): boolean => {
  const parts = text.trim().split(/\s+/u);
  return !text.trim().includes("\n") && parts.length > 1 && parts.every((part) => isWebUrl(withScheme(part)));
};

/** Not only the beginning of a URL: "two words", "ftp://example.com", "a@b.c". */
export const isNoUrl = (text: string): boolean =>
  !isWebUrl(withScheme(text)) && /\s|^\w+:|[@.]./u.test(text.trim());

const NO_LINKS: ReadonlyArray<string> = [];

/** Of one link alone, what was typed; of a list, the links that are read in it. */
export const useLinks = (text: string, onText: (text: string) => void) => {
  const [list, setList] = useState(NO_LINKS);
  const [fault, setFault] = useState<string | null>(null);
  const isList = text.trim().includes("\n");
  const fail = (error: unknown): ReadonlyArray<string> => {
    setFault(error instanceof Error ? error.message : String(error));
    return NO_LINKS;
  };
  useEffect(() => {
    let isCurrent = true;
    if (text !== "") setFault(null);
    if (isList)
      void linksOf(new Blob([text])).then(
        (found) => isCurrent && setList(found),
        (error: unknown) => isCurrent && setList(fail(error))
      );
    else setList(NO_LINKS);
    return () => {
      isCurrent = false;
    };
  }, [text]);
  const readFile = async (file: Blob, name?: string): Promise<void> =>
    onText((await linksOf(file, name).catch(fail)).join("\n"));
  const isMany = list.length > 1;
  const isOneLine = isSeveral(text);
  return {
    links: isMany ? list : NO_LINKS,
    one: isMany || isOneLine ? "" : isList ? (list[0] ?? "") : text,
    fault: fault ?? (isOneLine ? boxWords.oneALine : !isList && isNoUrl(text) ? boxWords.fault : null),
    readFile
  };
};

const foundText = (links: ReadonlyArray<string>): string => {
  const twice = links.length - new Set(links).size;
  const found = boxWords.found(links.length);
  return twice === 0 ? found : `${found}; ${boxWords.twice(twice)}`;
};

const FileChoice = ({ onFile }: Pick<LinksBoxProps, "onFile">) => {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={boxWords.chooseFile}
        accept=".csv,.tsv,.txt,text/*"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file, file.name);
          currentTarget.value = "";
        }}
      />
      <button class="button small quiet end" type="button" onClick={() => picker.current?.click()}>
        {boxWords.chooseFile}
      </button>
    </>
  );
};

interface LinksBoxProps {
  readonly text: string;
  readonly links: ReadonlyArray<string>;
  /** Why the text cannot be used. */
  readonly fault: string | null;
  readonly onText: (text: string) => void;
  readonly onFile: (file: Blob, name?: string) => void;
  /** Empties the whole form. */
  readonly onClear: () => void;
  /** Which stretch of the one link is wanted. */
  readonly stretch: ComponentChildren;
  /** What the one link leads to, or which of many are refused, once it is known. */
  readonly children: ComponentChildren;
}

/** In the place of the hint: with it, they would be higher than what is found, which would move all below. */
const Below = ({ text, links, fault, onText, children }: LinksBoxProps) => {
  if (fault !== null) return <p class="fault">{fault}</p>;
  if (links.length > 0)
    return (
      <div class="grow">
        <p class="hint">{foundText(links)}</p>
        {children}
      </div>
    );
  return (
    children ?? (
      <Samples isOffered={text === ""} onChoose={onText}>
        <p class="hint">{boxWords.hint}</p>
      </Samples>
    )
  );
};

/** Focused when the screen opens. */
export const LinksBox = (props: LinksBoxProps) => {
  const { text, fault, onText, onFile, onClear } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      class={isOver ? "panel stack tight drop over" : "panel stack tight drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) onFile(file, file.name);
      }}
    >
      <div class="row">
        <label for="address">{boxWords.label}</label>
        <FileChoice onFile={onFile} />
        <button class="button small quiet" type="button" onClick={onClear}>
          {draftWords.clear}
        </button>
      </div>
      <textarea
        ref={box}
        id="address"
        class="address"
        rows={Math.min(ROWS_MAX, text.split("\n", ROWS_MAX).length)}
        wrap="off"
        inputMode="url"
        autocapitalize="off"
        spellcheck={false}
        required
        placeholder="https://"
        value={text}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby="address-hint"
        onInput={(event) => onText(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text/plain") ?? "";
          if (pasted.length <= TYPED_CHARACTERS_MAX) return;
          event.preventDefault();
          onFile(new Blob([pasted]));
        }}
      />
      <div id="address-hint" class="source" aria-live="polite">
        <Below
          {...props}
          onText={(url) => {
            box.current?.focus();
            onText(url);
          }}
        />
      </div>
      {props.stretch}
    </div>
  );
};
