/** All stored files, to open in a tab or download together. */
import type { CompleteResult } from "@winnow/client";
import { ownUrl, serverPath } from "../../base.ts";
import { Icon } from "../../parts/Icon.tsx";
import { size } from "../../words/measures.ts";
import { words } from "../../words/words.ts";

export const Files = ({ result }: { readonly result: CompleteResult<unknown> }) => {
  const { files, details = [] } = result.artifacts;
  const names = result.summary.files;
  if (names.length === 0) return null;
  const bytesOf = (name: string): number | undefined => details.find((file) => file.name === name)?.bytes;
  const totalBytes = details.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <section class="panel stack tight" aria-label={words.run.files}>
      <div class="row">
        <h2>{words.run.files}</h2>
        <a class="button small end" href={serverPath(`v1/extractions/${result.id}/files.zip`)} download="">
          <Icon name="down" />
          {words.run.downloadAll}
          {totalBytes > 0 ? <span class="hint">{size(totalBytes)}</span> : null}
        </a>
      </div>
      <ul class="file-list">
        {names.map((name) => {
          const bytes = bytesOf(name);
          return (
            <li key={name}>
              <a href={ownUrl(files[name] ?? "")} target="_blank" rel="noopener">
                {name}
              </a>
              <span class="hint">{bytes === undefined ? "" : size(bytes)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
