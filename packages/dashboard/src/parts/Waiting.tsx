/** What is shown for content that is not there: a placeholder, an error, an empty state, the button for more rows. */
import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";
import { Problem } from "./Problem.tsx";

/** Placeholders with the size of the content, so that nothing moves when it is loaded. */
export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div class="loading" role="status">
    <span class="sr">{words.loading}</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton" aria-hidden="true" />
    ))}
  </div>
);

export interface WaitingProps<Answer> {
  readonly query: {
    readonly data: Answer | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly lines?: number;
  readonly children: (answer: Answer) => ComponentChildren;
}

/** A query's placeholder, error or result. */
export const Waiting = <Answer,>({ query, lines = 4, children }: WaitingProps<Answer>) => {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error === null) return <Loading lines={lines} />;
  return <Problem error={query.error} retry={() => void query.refetch()} />;
};

export interface EmptyProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** An empty state with a first step. */
export const Empty = ({ title, children }: EmptyProps) => (
  <section class="empty panel">
    <h2>{title}</h2>
    {children}
  </section>
);

export interface MoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: Error | null;
    readonly fetchNextPage: () => unknown;
  };
}

/** The button that loads more rows of a list. */
export const More = ({ query }: MoreProps) => {
  const more = (): void => {
    if (!query.isFetchingNextPage) void query.fetchNextPage();
  };
  // Rows that are shown are requested again every few seconds, whatever comes of it once.
  if (query.isFetchNextPageError) return <Problem error={query.error} retry={more} />;
  if (!query.hasNextPage) return null;
  return (
    <button class="button wide" type="button" aria-disabled={query.isFetchingNextPage} onClick={more}>
      {query.isFetchingNextPage ? words.loading : words.more}
    </button>
  );
};
