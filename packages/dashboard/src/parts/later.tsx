/** A lazily loaded part of the app, with its texts and styles. */
import { h, type ComponentType, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadScreenWords } from "../words/words.ts";
import { MissingPart } from "./MissingPart.tsx";

/** Texts and styles are loaded with the first part. */
export const loadPart = async <Part,>(load: () => Promise<Part>): Promise<Part> => {
  const [part] = await Promise.all([load(), loadScreenWords(), import("../styles/later.css")]);
  return part;
};

/** Renders nothing until it is loaded, and `MissingPart` if loading fails. */
export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>
): FunctionComponent<Props> => {
  let loaded: ComponentType<Props> | null = null;
  return (props) => {
    const [cause, setCause] = useState<unknown>(null);
    const [, draw] = useState(false);
    const fetchIt = async (): Promise<void> => {
      try {
        loaded = await loadPart(load);
        draw(true);
      } catch (failed) {
        setCause(failed);
      }
    };
    useEffect(() => {
      if (loaded === null) void fetchIt();
    }, []);
    if (loaded !== null) return h(loaded, props);
    return cause === null ? null : (
      <div class="missing">
        <MissingPart cause={cause} />
      </div>
    );
  };
};
