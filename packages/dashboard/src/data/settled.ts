/** No requests while somebody is typing. Tests: everyday.test.ts. */
import { useEffect, useState } from "preact/hooks";

const TYPING_MS = 500;

/** The text as it is after a pause. */
export const useSettled = (text: string): string => {
  const [settled, set] = useState(text);
  useEffect(() => {
    if (text === settled) return undefined;
    const timer = setTimeout(() => set(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
};
