/** What several parts of this page watch and no server knows, such as who is signed in here. Tests: lists.test.ts. */
import { useEffect, useState } from "preact/hooks";

export const watched = <Value>(first: Value) => {
  let value = first;
  const watchers = new Set<(value: Value) => void>();
  return {
    get: (): Value => value,
    set: (next: Value): void => {
      value = next;
      for (const draw of watchers) draw(next);
    },
    useValue: (): Value => {
      const [shown, draw] = useState(value);
      useEffect(() => {
        watchers.add(draw);
        draw(value);
        return () => void watchers.delete(draw);
      }, []);
      return shown;
    }
  };
};
