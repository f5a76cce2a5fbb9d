/** A component that is fetched when it is first wanted, with the words that it needs. Nothing stands in its place. */
import { h, type ComponentType, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadPlaceWords } from "../words/words.ts";

/** The words and the styles of everything that is fetched when it is wanted. */
export const loadPlaces = (): Promise<unknown> =>
  Promise.all([loadPlaceWords(), import("../styles/places.css")]);

export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>
): FunctionComponent<Props> => {
  let loaded: ComponentType<Props> | null = null;
  return (props) => {
    const [, draw] = useState(0);
    useEffect(() => {
      if (loaded !== null) return;
      const fetchIt = async (): Promise<void> => {
        [loaded] = await Promise.all([load(), loadPlaces()]);
        draw(1);
      };
      void fetchIt();
    }, []);
    return loaded === null ? null : h(loaded, props);
  };
};
