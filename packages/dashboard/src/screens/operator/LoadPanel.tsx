/** The server's load, and the reasons of failed runs. */
import { useQuery } from "@tanstack/preact-query";
import type { Load } from "../../data/metrics.ts";
import { askLoad } from "../../data/operator.ts";
import { number } from "../../words/format.ts";
import { size } from "../../words/measures.ts";
import { wordOf, words } from "../../words/words.ts";
import type { OperatorProps } from "./Accounts.tsx";

const POLL_MS = 10_000;

const Sums = ({ load }: { readonly load: Load }) => (
  <dl class="sums">
    {[
      [words.operator.running, number(load.running)],
      [words.operator.waiting, number(load.waiting)],
      [words.operator.oldest, words.operator.seconds(Math.round(load.oldestWaitingSeconds))],
      [words.operator.webhooks, number(load.webhooksPending)],
      [words.operator.memory, size(load.memoryBytes)],
      ...load.disks.map(({ place, freeBytes }) => [
        `${words.operator.disk} (${wordOf(words.operator.places, place)})`,
        size(freeBytes)
      ])
    ].map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const Failures = ({ failures }: Pick<Load, "failures">) =>
  failures.length === 0 ? (
    <p class="hint">{words.operator.noFailures}</p>
  ) : (
    <dl class="sums">
      {failures.map(({ reason, count }) => (
        <div key={reason}>
          <dt>
            <code>{reason}</code>
          </dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  );

export const LoadPanel = ({ admin }: OperatorProps) => {
  const { data: load } = useQuery({
    queryKey: ["load"],
    queryFn: () => askLoad(admin),
    refetchInterval: POLL_MS
  });
  if (load == null) return null;
  return (
    <div class="two">
      <section class="panel stack tight" aria-label={words.operator.load}>
        <h2>{words.operator.load}</h2>
        <Sums load={load} />
      </section>
      <section class="panel stack tight" aria-label={words.operator.failures}>
        <h2>{words.operator.failures}</h2>
        <Failures failures={load.failures} />
        <p class="hint">{words.operator.ofProcess}</p>
      </section>
    </div>
  );
};
