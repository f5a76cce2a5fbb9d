/** Credits by day as bars, and as a table for screen readers. */
import type { UsageDay } from "@winnow/client";
import { number } from "../../words/format.ts";
import { day } from "../../words/measures.ts";
import { words } from "../../words/words.ts";

const HEIGHT = 96;
const BAR_WIDTH = 10;
const GAP = 3;

const paid = ({ debited, refunded }: UsageDay): number => Math.max(0, debited - refunded);

export const UsageChart = ({ days }: { readonly days: ReadonlyArray<UsageDay> }) => {
  const most = Math.max(1, ...days.map(paid));
  const total = days.reduce((sum, each) => sum + paid(each), 0);
  const width = days.length * (BAR_WIDTH + GAP);
  return (
    <>
      <p class="hint">{words.billing.usedInAll(number(total), days.length)}</p>
      <svg class="chart" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((each, index) => {
          const height = Math.max(paid(each) === 0 ? 1 : 3, (paid(each) / most) * HEIGHT);
          return (
            <rect
              key={each.day}
              class={paid(each) === 0 ? "bar none" : "bar"}
              x={index * (BAR_WIDTH + GAP)}
              y={HEIGHT - height}
              width={BAR_WIDTH}
              height={height}
              rx="2"
            >
              <title>{`${day(each.day)}: ${number(paid(each))}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="row chart-ends hint" aria-hidden="true">
        <span>{day(days[0]?.day ?? "")}</span>
        <span class="end">{day(days.at(-1)?.day ?? "")}</span>
      </div>
      <details>
        <summary>{words.billing.asTable}</summary>
        <div class="table-scroll" tabIndex={0} role="group" aria-label={words.billing.usage}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.billing.day}</th>
                <th scope="col" class="num">
                  {words.nav.extractions}
                </th>
                <th scope="col" class="num">
                  {words.billing.credits}
                </th>
              </tr>
            </thead>
            <tbody>
              {days
                .filter((each) => each.runs > 0 || paid(each) > 0)
                .map((each) => (
                  <tr key={each.day}>
                    <td>{day(each.day)}</td>
                    <td class="num">{number(each.runs)}</td>
                    <td class="num">{number(paid(each))}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
};
