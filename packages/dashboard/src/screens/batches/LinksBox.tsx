/** The field for links: typed, pasted, dropped or chosen as a file. */
import { useEffect, useRef, useState } from "preact/hooks";
import { allLinks, readLinks } from "@winnow/client/links";
import { newBatchWords } from "./words.ts";

/** Longer pastes are read like files: as text in the field, they would freeze the page. */
export const TYPED_CHARACTERS_MAX = 200_000;

/** Links in a batch, by the rules of the service. */
const LINKS_MAX = 1_000;

/** Also what is no link: the service says why it refuses it. */
const linksOf = async (file: Blob, name?: string): Promise<ReadonlyArray<string>> => {
  const links = await readLinks(file.stream(), { name, maxLinks: LINKS_MAX });
  return allLinks(links).map(({ url }) => url);
};

const faultOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const useLinks = (text: string, onText: (text: string) => void) => {
  const [links, setLinks] = useState<ReadonlyArray<string>>([]);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      try {
        const found = await linksOf(new Blob([text]));
        if (!isCurrent) return;
        setLinks(found);
        if (text !== "") setFault(null);
      } catch (error) {
        if (!isCurrent) return;
        setLinks([]);
        setFault(faultOf(error));
      }
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [text]);
  const readFile = async (file: Blob, name?: string): Promise<void> => {
    try {
      onText((await linksOf(file, name)).join("\n"));
      setFault(null);
    } catch (error) {
      onText("");
      setFault(faultOf(error));
    }
  };
  return { links, fault, readFile };
};

interface FileChoiceProps {
  readonly links: ReadonlyArray<string>;
  /** Why the text cannot be used. */
  readonly fault: string | null;
  readonly onFile: (file: Blob, name?: string) => void;
}

const foundText = (links: ReadonlyArray<string>): string => {
  if (links.length === 0) return "";
  const twice = links.length - new Set(links).size;
  const found = newBatchWords.found(links.length);
  return twice === 0 ? found : `${found}; ${newBatchWords.twice(twice)}`;
};

const FileChoice = ({ links, fault, onFile }: FileChoiceProps) => {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div class="row">
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={newBatchWords.chooseFile}
        accept=".csv,.tsv,.txt,text/*"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file, file.name);
          currentTarget.value = "";
        }}
      />
      <button class="button" type="button" onClick={() => picker.current?.click()}>
        {newBatchWords.chooseFile}
      </button>
      <p class={fault === null ? "hint grow" : "fault grow"} role="status">
        {fault ?? foundText(links)}
      </p>
    </div>
  );
};

interface LinksBoxProps extends FileChoiceProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

export const LinksBox = ({ text, links, fault, onText, onFile }: LinksBoxProps) => {
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
      <label for="links">{newBatchWords.links}</label>
      <textarea
        ref={box}
        id="links"
        class="links"
        rows={8}
        autocapitalize="off"
        spellcheck={false}
        placeholder="https://"
        value={text}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby="links-hint"
        onInput={(event) => onText(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text/plain") ?? "";
          if (pasted.length <= TYPED_CHARACTERS_MAX) return;
          event.preventDefault();
          onFile(new Blob([pasted]));
        }}
      />
      <p id="links-hint" class="hint">
        {newBatchWords.hint}
      </p>
      <FileChoice links={links} fault={fault} onFile={onFile} />
    </div>
  );
};
