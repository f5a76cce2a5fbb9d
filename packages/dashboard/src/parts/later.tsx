/**
 * A component that is fetched when it is first wanted, with the words that it needs. Nothing stands in its place; where
 * it cannot be fetched, what went wrong and a way to try again do.
 */
import { h, type ComponentType, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ConnectionError } from "@winnow/client";
import { loadPlaceWords } from "../words/words.ts";
import { Problem } from "./Problem.tsx";

/** Vite asks for each style once, and one that failed stays: this asks again. */
const mendStyles = (): Promise<unknown> => {
  const failed = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(
    ({ sheet }) => sheet === null
  );
  const mended = failed.map((link) => {
    const again = link.cloneNode() as HTMLLinkElement;
    link.replaceWith(again);
    return new Promise((resolve, reject) => {
      again.addEventListener("load", resolve);
      again.addEventListener("error", reject);
    });
  });
  return Promise.all(mended);
};

/** The words and the styles of everything that is fetched when it is wanted. */
export const loadPlaces = (): Promise<unknown> =>
  Promise.all([loadPlaceWords(), import("../styles/places.css")]);

export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>
): FunctionComponent<Props> => {
  let loaded: ComponentType<Props> | null = null;
  return (props) => {
    const [error, setError] = useState<Error | null>(null);
    const [, draw] = useState(0);
    const fetchIt = async (): Promise<void> => {
      try {
        [loaded] = await Promise.all([load(), loadPlaces()]);
        setError(null);
        draw(1);
      } catch (cause) {
        setError(new ConnectionError("A part of the app could not be fetched.", { cause }));
      }
    };
    useEffect(() => {
      if (loaded === null) void fetchIt();
    }, []);
    if (loaded !== null) return h(loaded, props);
    const again = (): void => void mendStyles().then(fetchIt, () => undefined);
    return error === null ? null : (
      <div class="missing">
        <Problem error={error} retry={again} />
      </div>
    );
  };
};
