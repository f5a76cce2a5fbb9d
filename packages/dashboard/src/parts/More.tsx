/** The button that loads more rows of a list. */
import { words } from "../words/words.ts";
import { Problem } from "./Problem.tsx";

export interface MoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly error: Error | null;
    readonly fetchNextPage: () => unknown;
  };
}

export const More = ({ query }: MoreProps) => {
  const more = (): void => {
    if (!query.isFetchingNextPage) void query.fetchNextPage();
  };
  if (query.error !== null) return <Problem error={query.error} retry={more} />;
  if (!query.hasNextPage) return null;
  return (
    <button class="button wide" type="button" aria-disabled={query.isFetchingNextPage} onClick={more}>
      {query.isFetchingNextPage ? words.loading : words.more}
    </button>
  );
};
