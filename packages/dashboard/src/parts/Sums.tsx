/** Names with their values, one a line. */
interface SumsProps {
  readonly rows: ReadonlyArray<readonly [name: string, value: string]>;
}

export const Sums = ({ rows }: SumsProps) => (
  <dl class="sums">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
