/** Names with their values, one a line. Tests: price.test.ts. */
import type { ComponentChildren } from "preact";

export type SumRow = readonly [name: string, value: ComponentChildren, isTotal?: boolean];

interface SumsProps {
  readonly rows: ReadonlyArray<SumRow>;
  readonly kind?: string;
}

export const Sums = ({ rows, kind = "sums" }: SumsProps) => (
  <dl class={kind}>
    {rows.map(([name, value, isTotal = false]) => (
      <div key={name} class={isTotal ? "total" : undefined}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
