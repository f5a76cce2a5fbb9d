/** Values of two results side by side, those that differ marked. Tests: schemas.test.ts. */
import { pathText } from "../../parts/jsonPointer.ts";
import { differs, type Cell } from "./comparison.ts";
import { tryWords } from "./words.ts";

const Value = ({ text }: { readonly text: string | null }) =>
  text === null ? <span class="hint">{tryWords.none}</span> : <span dir="auto">{text}</span>;

interface CellGroup {
  /** What the cells belong to, where there are several; with its link. */
  readonly name: string | null;
  readonly href: string | null;
  readonly cells: ReadonlyArray<Cell>;
}

interface ComparisonProps {
  readonly label: string;
  readonly groups: ReadonlyArray<CellGroup>;
  /** Null shows one column of values. */
  readonly before: string | null;
  readonly after: string;
}

export const Comparison = ({ label, groups, before, after }: ComparisonProps) => (
  <div class="table-scroll" tabIndex={0} role="group" aria-label={label}>
    <table class="comparison">
      <thead>
        <tr>
          <th scope="col">{tryWords.field}</th>
          {before === null ? null : <th scope="col">{before}</th>}
          <th scope="col">{after}</th>
        </tr>
      </thead>
      {groups.map(({ name, href, cells }, index) => (
        <tbody key={index}>
          {name === null ? null : (
            <tr>
              <th scope="rowgroup" colSpan={before === null ? 2 : 3}>
                <a class="one-line" dir="auto" href={href ?? ""}>
                  {name}
                </a>
              </th>
            </tr>
          )}
          {cells.map((cell) => (
            <tr key={cell.pointer} class={before !== null && differs(cell) ? "differs" : undefined}>
              <td>
                <code dir="auto">{pathText(cell.pointer)}</code>
              </td>
              {before === null ? null : (
                <td>
                  <Value text={cell.before} />
                </td>
              )}
              <td>
                <Value text={cell.after} />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </div>
);
