/** Whether a media query matches, for layouts that differ in their order, which CSS must not change. */
import { useEffect, useState } from "preact/hooks";

export const useMedia = (query: string): boolean => {
  const [matches, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const onChange = (): void => set(list.matches);
    onChange();
    list.addEventListener("change", onChange);
    return () => list.removeEventListener("change", onChange);
  }, [query]);
  return matches;
};
