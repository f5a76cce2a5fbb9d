/** The top of every screen: its title, also in the window, and its actions. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – Winnow`;
  }, [title]);
};

interface PageHeadProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  /** Buttons and links. */
  readonly children?: ComponentChildren;
}

export const PageHead = ({ title, hint, children }: PageHeadProps) => {
  useTitle(title);
  return (
    <div class="page-head">
      <div class="page-title">
        <h1 dir="auto" title={title}>
          {title}
        </h1>
        {hint === undefined ? null : <p class="hint">{hint}</p>}
      </div>
      {children === undefined ? null : <div class="row">{children}</div>}
    </div>
  );
};
