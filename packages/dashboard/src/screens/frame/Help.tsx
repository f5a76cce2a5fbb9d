/** All keyboard shortcuts. Tests: runActions.test.ts. */
import { Dialog } from "../../parts/Dialog.tsx";
import { helpWords } from "./helpWords.ts";
import { words } from "../../words/words.ts";

export const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title={helpWords.title} onClose={onClose}>
    <div class="two">
      {Object.entries(helpWords.groups).map(([group, keys]) => (
        <section key={group} class="stack tight">
          <h3>{group}</h3>
          <dl class="key-list">
            {Object.entries(keys).map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
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
