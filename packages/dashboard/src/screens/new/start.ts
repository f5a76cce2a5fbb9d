/**
 * What a draft leads to: what is at its link or links, their price, and the submit that starts them once.
 * Tests: batches.test.ts, price.test.ts.
 */
import { useMutation } from "@tanstack/preact-query";
import type { Submission } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { useLocation } from "preact-iso";
import { useMemo } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { batchChanged, useBatchQuote } from "../../data/batches.ts";
import { changed, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { runsChanged, useRun } from "../../data/extractions.ts";
import { useOnce, type Once } from "../../data/once.ts";
import { useQuote } from "../../data/quotes.ts";
import { bodyOf, dropDraft, type Draft } from "./draft.ts";

/** Undefined fields have the service's defaults; a link that is none is sent as it is, and refused by name. */
const itemsOf = (links: ReadonlyArray<string>, draft: Draft): ReadonlyArray<Submission> => {
  const body = bodyOf({ ...draft, maxCredits: undefined, url: "https://example.com/" });
  return body === undefined ? [] : links.map((url) => ({ ...body, url }));
};

/** Of one link, or of many as a batch. */
export const useStart = (links: ReadonlyArray<string>, draft: Draft, isDraft: boolean) => {
  const { route } = useLocation();
  const isMany = links.length > 0;
  const body: Submission | undefined = bodyOf(draft);
  const url = withScheme(draft.url);
  const chosen = draft.choice === "none" ? draft.parts : draft.inputs;
  const quote = useQuote(isWebUrl(url) ? url : undefined, body);
  const { data: earlier } = useRun(quote.earlierId ?? "", quote.earlierId !== null);
  const items = useMemo(() => itemsOf(links, draft), [links, draft]);
  const batch = useBatchQuote(items);
  const credits = isMany ? batch.total?.credits : quote.isCurrent ? quote.credits : undefined;
  // Never more than what was shown, nor than what somebody allowed before.
  const paid =
    credits === undefined ? undefined : { maxCredits: Math.min(credits, draft.maxCredits ?? Infinity) };
  const of = isMany ? items : body;
  const text = JSON.stringify(of ?? null);
  const { once, isOpen } = useOnce(of);
  const { mutate, variables, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ does }: { readonly text: string; readonly does: () => Promise<string> }) => does(),
    onSuccess: (screen) => {
      // It is what somebody was writing, which is done then.
      if (isDraft) dropDraft();
      // A double click starts the same twice: the back button leads to the form from it.
      if (location.pathname !== href(screen)) route(href(screen));
    },
    onError: batch.refetch,
    // Prices may have changed since they were shown.
    onSettled: () => changed(keys.quotes)
  });
  // The screen of what was started follows.
  const isBusy = isPending || isSuccess;
  const start = async (options: Once): Promise<string> => {
    if (isMany || body === undefined) {
      const made = await winnow.batches.create({ items, ...paid }, options);
      batchChanged(made);
      return `batches/${made.id}`;
    }
    const { id } = await winnow.submit({ ...body, ...paid }, options);
    runsChanged();
    return `runs/${id}`;
  };
  const submit = (): void => {
    if (paid !== undefined && !isBusy) mutate({ text, does: () => once(start) });
  };
  const sent = {
    // A changed body was not refused yet.
    error: variables?.text === text ? error : null,
    /** What came of an earlier attempt is not known. */
    isLost: isOpen && !isBusy
  };
  return { ...sent, draft, body, paid, chosen, quote, earlier, isMany, items, batch, submit, isBusy };
};

export type Start = ReturnType<typeof useStart>;
