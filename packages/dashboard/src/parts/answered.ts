/** For screens that are shown at once, because what comes later would move the rest. */
import { useRef } from "preact/hooks";

/**
 * Whether all queries were answered or failed, once. A part that is shown then asks again for what failed, and must not
 * be replaced for that.
 */
export const useAnswered = (...queries: ReadonlyArray<{ readonly isPending: boolean }>): boolean => {
  const isAnswered = useRef(false);
  isAnswered.current ||= queries.every(({ isPending }) => !isPending);
  return isAnswered.current;
};
