/** A query's placeholder, error or result. */
import type { ComponentChildren } from "preact";
import { Loading } from "./Loading.tsx";
import { Problem } from "./Problem.tsx";

export interface WaitingProps<Answer> {
  readonly query: {
    readonly data: Answer | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly lines?: number;
  readonly children: (answer: Answer) => ComponentChildren;
}

export const Waiting = <Answer,>({ query, lines = 4, children }: WaitingProps<Answer>) => {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error === null) return <Loading lines={lines} />;
  return <Problem error={query.error} retry={() => void query.refetch()} />;
};
