/** All keyboard shortcuts. */
import { Dialog } from "../../parts/Dialog.tsx";
import { helpWords } from "./helpWords.ts";
import { words } from "../../words/words.ts";

const GROUPS = {
  everywhere: ["?", "Ctrl k", "n", "g", "/", "z"],
  list: ["j", "k", "Enter", "Space", "x", "X", ".", "Escape"],
  results: ["Enter", "Space", "a", "e", "p"],
  run: ["Space", "ArrowLeft", "ArrowRight", "e", "/", "ArrowDown", "r", "d", "l"]
} as const;

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowDown: "↓",
  Escape: "Esc",
  X: "Shift x"
};

export const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title={helpWords.title} onClose={onClose}>
    <div class="key-groups">
      {(Object.keys(GROUPS) as ReadonlyArray<keyof typeof GROUPS>).map((group) => (
        <section key={group} class="stack tight">
          <h3>{helpWords.groups[group]}</h3>
          <dl class="key-list">
            {GROUPS[group].map((key) => (
              <div key={key}>
                <dt>
                  <kbd>{SIGNS[key] ?? key}</kbd>
                </dt>
                <dd>{(helpWords.keys[group] as Readonly<Record<string, string>>)[key]}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
    <p class="hint">{helpWords.off}</p>
    <div class="row end">
      <button class="button" type="button" onClick={onClose}>
        {words.close}
      </button>
    </div>
  </Dialog>
);
