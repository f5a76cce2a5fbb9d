/** For rows of long lists: a component that is rendered again only if a property changed, as Preact skips the same element. */
import { h, type FunctionComponent } from "preact";
import { useMemo } from "preact/hooks";

export const memo =
  <Props extends object>(draw: FunctionComponent<Props>): FunctionComponent<Props> =>
  (props) =>
    useMemo(() => h(draw, props), Object.values(props));
