/** A component that is rendered again only if one of its properties changed. */
import { Component, h, type ComponentChild, type FunctionComponent } from "preact";

const isSame = (before: object, after: object): boolean => {
  const names = Object.keys(after);
  return (
    names.length === Object.keys(before).length &&
    names.every(
      (name) => (before as Record<string, unknown>)[name] === (after as Record<string, unknown>)[name]
    )
  );
};

export const memo = <Props extends object>(draw: FunctionComponent<Props>): FunctionComponent<Props> => {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(this.props, next);
    }
    override render(): ComponentChild {
      return draw(this.props);
    }
  }
  return (props) => h(Memo, props);
};
