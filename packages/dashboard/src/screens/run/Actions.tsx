/**
 * Everything that can be done with a run, in one row and one order; those that every state has stand at its end, and
 * stay there. Tests: runActions.test.ts.
 */
import type { ExtractionDetail } from "@winnow/client";
import { useLocation } from "preact-iso";
import { href, serverPath } from "../../data/addresses.ts";
import { cancelRun, deleteRun, hasEnded } from "../../data/extractions.ts";
import { copyText } from "../../parts/Copy.tsx";
import { AskButton } from "../../parts/Dialog.tsx";
import { ActButton } from "../../parts/Form.tsx";
import { Icon, IconButton } from "../../parts/Icon.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { note, noteError } from "../../parts/Toasts.tsx";
import { words } from "../../words/words.ts";
import { runWords } from "./words.ts";

export const Actions = ({ run }: { readonly run: ExtractionDetail }) => {
  const { route } = useLocation();
  const { id } = run;
  const copyLink = (): void =>
    void copyText(new URL(href(`runs/${id}`), location.href).href).then(
      () => note(runWords.linkCopied),
      noteError
    );
  const again = href(`new?from=${id}`);
  useShortcuts({
    r: () => route(again),
    l: copyLink,
    d: () => document.querySelector<HTMLAnchorElement>(".run-actions a[download]")?.click()
  });
  return (
    <div class="row run-actions" role="group" aria-label={runWords.actions}>
      {run.status === "complete" ? (
        <a class="button" href={serverPath(`v1/extractions/${id}/files.zip`)} download="">
          <Icon name="down" />
          {runWords.downloadAll}
        </a>
      ) : null}
      {run.status === "complete" && run.fromExtraction === undefined ? (
        <a class="button" href={href(`schemas/new?from=${id}`)}>
          {runWords.otherFields}
        </a>
      ) : null}
      <a class="button" href={again}>
        <Icon name="again" />
        {runWords.again}
      </a>
      <IconButton icon="link" label={runWords.copyLink} onClick={copyLink} />
      {hasEnded(run) ? (
        <AskButton
          kind="button icon-only quiet"
          tooltip={words.delete}
          label={
            <>
              <Icon name="bin" />
              <span class="sr">{words.delete}</span>
            </>
          }
          title={runWords.deleteTitle}
          action={words.delete}
          does={() => deleteRun(id)}
          then={() => route(href(""))}
        >
          <p>{runWords.deleteText}</p>
        </AskButton>
      ) : (
        <ActButton does={() => cancelRun(id)}>{runWords.cancel}</ActButton>
      )}
    </div>
  );
};
