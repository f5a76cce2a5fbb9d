/** What was used: by day, as stacked bars with an axis and as a table, by API key, schema and part of the price. Tests: price.test.ts. */
import type { UsageDay, UsageReport } from "@winnow/client";
import { useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useUsage, type UsagePeriod } from "../../data/apiKeys.ts";
import { useAccount } from "../../data/client.ts";
import { isFree } from "../../data/free.ts";
import { useSchemas } from "../../data/schemas.ts";
import { Panel } from "../../parts/Panel.tsx";
import { pricePartName } from "../../parts/Receipt.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { day, number, writtenDate } from "../../words/format.ts";
import { navWords } from "../../words/words.ts";
import { billingWords } from "./words.ts";

/** Parts of the price have no extractions of their own. */
type Used = Pick<UsageDay, "debited" | "refunded"> & Partial<Pick<UsageDay, "runs">>;

/** What a bar stands for: credits, or extractions where nothing has a price. */
const usedOf = ({ runs = 0, debited, refunded }: Used): number =>
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

const COLUMNS: ReadonlyArray<readonly [name: string, of: (used: Used) => number]> = [
  [navWords.extractions, ({ runs = 0 }) => runs],
  ...(isFree
    ? []
    : ([
        [billingWords.credits, usedOf],
        [billingWords.back, backOf]
      ] as const))
];

const DayTable = ({ days }: ChartProps) => (
  <details>
    <summary>{billingWords.asTable}</summary>
    <div class="table-scroll" tabIndex={0} role="group" aria-label={billingWords.usage}>
      <table>
        <thead>
          <tr>
            <th scope="col">{billingWords.day}</th>
            {COLUMNS.map(([name]) => (
              <th key={name} scope="col" class="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ runs, debited }) => runs + debited > 0)
            .map((each) => (
              <tr key={each.day}>
                <td>{day(each.day)}</td>
                {COLUMNS.map(([name, of]) => (
                  <td key={name} class="num">
                    {number(of(each))}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  </details>
);

interface SharesProps {
  readonly title: string;
  /** Each with what it is called and leads to. */
  readonly shares: ReadonlyArray<readonly [used: Used, name: string, address: string | null]>;
  readonly total: number;
}

const Shares = ({ title, shares, total }: SharesProps) =>
  shares.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul class="file-list">
        {shares.map(([used, name, address]) => (
          <li key={address} class="row">
            {address === null ? (
              name
            ) : (
              <a dir="auto" href={href(address)}>
                {name}
              </a>
            )}
            <span class="hint end">{billingWords.usedText(used, usedOf(used))}</span>
            <progress aria-hidden="true" max={Math.max(1, total)} value={usedOf(used)} />
          </li>
        ))}
      </ul>
    </>
  );

const Shown = ({ data: days, keys, bySchema = [], byPart = [] }: UsageReport) => {
  const [pointed, setPointed] = useState<UsageDay>();
  const { data: account } = useAccount();
  const { data: schemas = [] } = useSchemas(bySchema.length > 0);
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
      <Shares
        title={billingWords.byKey}
        total={total}
        shares={keys.map((each) =>
          each.apiKeyId === null
            ? [each, billingWords.noKey, null]
            : [each, each.apiKeyName ?? billingWords.revoked, `?apiKeyId=${each.apiKeyId}`]
        )}
      />
      <Shares
        title={billingWords.bySchema}
        total={total}
        shares={bySchema.map((each) => {
          const saved = schemas.find(({ id }) => id === each.schemaId);
          return [each, saved?.name ?? each.schemaId, `schemas/${each.schemaId}`];
        })}
      />
      <Shares
        title={billingWords.byPart}
        total={total}
        shares={byPart.map((each) => [each, pricePartName(each.part), null])}
      />
    </>
  );
};

/** Periods of the chart, in days. */
const LAST_DAYS = [7, 30, 90] as const;
export const FIRST_PERIOD: UsagePeriod = { days: LAST_DAYS[1] };

const MONTHS_MAX = 12;

/** This one and those before it, `YYYY-MM`. */
const months = (): ReadonlyArray<string> =>
  Array.from({ length: MONTHS_MAX }, (_, back) => {
    const first = new Date();
    first.setUTCDate(1);
    first.setUTCMonth(first.getUTCMonth() - back);
    return first.toISOString().slice(0, 7);
  });

export const Usage = () => {
  const [period, setPeriod] = useState<UsagePeriod>(FIRST_PERIOD);
  const choice = (
    <select
      class="versions"
      aria-label={billingWords.period}
      value={Object.values(period).join("")}
      onChange={({ currentTarget: { value } }) =>
        setPeriod(value.includes("-") ? { month: value } : { days: Number(value) })
      }
    >
      {LAST_DAYS.map((days) => (
        <option key={days} value={days}>
          {billingWords.days(days)}
        </option>
      ))}
      {months().map((month) => (
        <option key={month} value={month}>
          {writtenDate({ value: month, precision: "month" })}
        </option>
      ))}
    </select>
  );
  return (
    <Panel title={billingWords.usage} end={choice}>
      <Waiting query={useUsage(period)} lines={3}>
        {(report) => <Shown {...report} />}
      </Waiting>
    </Panel>
  );
};
