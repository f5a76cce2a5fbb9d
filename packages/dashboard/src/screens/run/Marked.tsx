/** A text with highlighted ranges. */
import type { Range } from "./marks.ts";

export interface MarkedProps {
  readonly text: string;
  /** Sorted and without overlaps. */
  readonly ranges: ReadonlyArray<Range>;
}

export const Marked = ({ text, ranges }: MarkedProps) => {
  if (ranges.length === 0) return <>{text}</>;
  let at = 0;
  const pieces = ranges.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return (
      <>
        {before}
        <mark>{text.slice(start, end)}</mark>
      </>
    );
  });
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  );
};
