/** What was used: by day, as stacked bars with an axis and as a table, and by API key. */
import type { UsageDay, UsageReport } from "@winnow/client";
import { useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useUsage } from "../../data/apiKeys.ts";
import { useAccount } from "../../data/client.ts";
import { isFree } from "../../data/free.ts";
import { Tabs } from "../../parts/Tabs.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { number, day } from "../../words/format.ts";
import { navWords } from "../../words/words.ts";
import { billingWords } from "./words.ts";

type Used = Pick<UsageDay, "runs" | "debited" | "refunded">;

/** What a bar stands for: credits, or extractions where nothing has a price. */
const usedOf = ({ runs, debited, refunded }: Used): number =>
  isFree ? runs : Math.max(0, debited - refunded);
const backOf = ({ refunded }: Used): number => (isFree ? 0 : refunded);

/** Twice 1, 2 or 5 times a power of ten: its half is whole and easily read. */
const axisEnd = (most: number): number => {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [2, 4].map((step) => step * unit).find((end) => end >= most) ?? 10 * unit;
};

/** Of the drawing, which is stretched to its place. */
const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

interface ChartProps {
  readonly days: ReadonlyArray<UsageDay>;
}

const Bars = ({ days, onPoint }: ChartProps & { readonly onPoint: (each: UsageDay | undefined) => void }) => {
  const end = axisEnd(Math.max(...days.map((each) => usedOf(each) + backOf(each))));
  const heightOf = (value: number): number => (value / end) * HEIGHT;
  return (
    <div class="chart" aria-hidden="true">
      <ul class="hint">
        {[end, end / 2, 0].map((value) => (
          <li key={value}>{number(value)}</li>
        ))}
      </ul>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={({ offsetX, currentTarget }) =>
          onPoint(days[Math.floor((offsetX / currentTarget.clientWidth) * days.length)])
        }
        onPointerLeave={() => onPoint(undefined)}
      >
        <path class="axis" d={`M0 0h9999M0 ${HEIGHT / 2}h9999M0 ${HEIGHT}h9999`} />
        {days.map((each, index) => {
          const used = heightOf(usedOf(each));
          const back = heightOf(backOf(each));
          const x = index * STEP + GAP;
          const width = STEP - 2 * GAP;
          return (
            <g key={each.day}>
              <rect class="hit" x={index * STEP} y={0} width={STEP} height={HEIGHT} />
              <rect class="bar" x={x} y={HEIGHT - used} width={width} height={used} />
              <rect class="bar back" x={x} y={HEIGHT - used - back} width={width} height={back} />
            </g>
          );
        })}
      </svg>
      <p class="row hint">
        <span>{day(days[0]?.day ?? "")}</span>
        <span class="end">{day(days.at(-1)?.day ?? "")}</span>
      </p>
    </div>
  );
};

const DayTable = ({ days }: ChartProps) => (
  <details>
    <summary>{billingWords.asTable}</summary>
    <div class="table-scroll" tabIndex={0} role="group" aria-label={billingWords.usage}>
      <table>
        <thead>
          <tr>
            <th scope="col">{billingWords.day}</th>
            {[navWords.extractions, ...(isFree ? [] : [billingWords.credits, billingWords.back])].map(
              (name) => (
                <th key={name} scope="col" class="num">
                  {name}
                </th>
              )
            )}
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ runs, debited }) => runs + debited > 0)
            .map((each) => (
              <tr key={each.day}>
                <td>{day(each.day)}</td>
                {[each.runs, ...(isFree ? [] : [usedOf(each), each.refunded])].map((value, index) => (
                  <td key={index} class="num">
                    {number(value)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  </details>
);

const ByKey = ({ used, total }: { readonly used: UsageReport["keys"]; readonly total: number }) =>
  used.length === 0 ? null : (
    <>
      <h3>{billingWords.byKey}</h3>
      <ul class="file-list">
        {used.map((each) => (
          <li key={each.apiKeyId} class="row">
            {each.apiKeyId === null ? (
              billingWords.noKey
            ) : (
              <a dir="auto" href={href(`?apiKeyId=${each.apiKeyId}`)}>
                {each.apiKeyName ?? billingWords.revoked}
              </a>
            )}
            <span class="hint end">{billingWords.usedText(each, usedOf(each))}</span>
            <progress aria-hidden="true" max={Math.max(1, total)} value={usedOf(each)} />
          </li>
        ))}
      </ul>
    </>
  );

const Shown = ({ data: days, keys }: UsageReport) => {
  const [pointed, setPointed] = useState<UsageDay>();
  const { data: account } = useAccount();
  const total = days.reduce((sum, each) => sum + usedOf(each), 0);
  const lastsDays = Math.floor((account?.balance ?? 0) / (total / days.length));
  return (
    <>
      <p class="hint">
        {pointed === undefined
          ? billingWords.usedInAll(number(total), days.length, number(Math.max(...days.map(usedOf))))
          : `${day(pointed.day)}: ${billingWords.usedText(pointed, usedOf(pointed))}`}
      </p>
      <Bars days={days} onPoint={setPointed} />
      {isFree || total === 0 || account === undefined ? null : <p>{billingWords.lasts(lastsDays)}</p>}
      <DayTable days={days} />
      <ByKey used={keys} total={total} />
    </>
  );
};

/** Periods of the chart, in days. */
const PERIODS = [7, 30, 90] as const;
export const FIRST_PERIOD = PERIODS[1];

export const Usage = () => {
  const [days, setDays] = useState<number>(FIRST_PERIOD);
  const query = useUsage(days);
  return (
    <section class="panel stack tight usage" aria-label={billingWords.usage}>
      <div class="row">
        <h2>{billingWords.usage}</h2>
        <span class="end">
          <Tabs
            label={billingWords.period}
            tabs={PERIODS.map((each) => [each, billingWords.days(each)])}
            shown={days}
            onShow={setDays}
          />
        </span>
      </div>
      <Waiting query={query} lines={3}>
        {(report) => <Shown {...report} />}
      </Waiting>
    </section>
  );
};
