/** Lists of facts, each with a name; and web addresses that others wrote. Tests: browser.test.ts. */
import type { ComponentChildren } from "preact";
import { isWebUrl } from "../../parts/runTexts.ts";

/** Content, if there is any, and where it is from. */
export type Fact = readonly [name: string, content: ComponentChildren, hint?: string, id?: string];

export const Facts = ({ facts }: { readonly facts: ReadonlyArray<Fact> }) => (
  <dl class="facts">
    {facts.map(([name, content, hint, id]) =>
      !content ? null : (
        <div key={name} data-fact={id}>
          <dt>{name}</dt>
          <dd dir="auto">{content}</dd>
          {hint === undefined ? null : <dd class="hint">{hint}</dd>}
        </div>
      )
    )}
  </dl>
);

interface WebLinkProps {
  /** Given by the source, to any address: only one of the web becomes a link. */
  readonly url: string | null;
  readonly children: ComponentChildren;
}

export const WebLink = ({ url, children }: WebLinkProps) =>
  url !== null && isWebUrl(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener" dir="auto">
      {children}
    </a>
  ) : (
    <bdi>{children}</bdi>
  );
