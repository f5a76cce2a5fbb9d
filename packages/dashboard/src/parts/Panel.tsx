/** A part of a screen under its title. Tests: everyday.test.ts. */
import type { ComponentChildren } from "preact";

interface PanelProps {
  readonly title: string;
  /** Said in few words after the title, such as how many there are. */
  readonly hint?: string | undefined;
  /** At the end of the title's line. */
  readonly end?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Panel = ({ title, hint, end, children }: PanelProps) => (
  <section class="panel stack tight" aria-label={title}>
    <div class="row">
      <h2>
        {title} {hint === undefined ? null : <span class="hint">{hint}</span>}
      </h2>
      {end === undefined ? null : <span class="end">{end}</span>}
    </div>
    {children}
  </section>
);
