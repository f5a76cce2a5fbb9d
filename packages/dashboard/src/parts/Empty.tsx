/** An empty state with a first step. */
import type { ComponentChildren } from "preact";

export interface EmptyProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export const Empty = ({ title, children }: EmptyProps) => (
  <section class="empty panel">
    <h2>{title}</h2>
    {children}
  </section>
);
