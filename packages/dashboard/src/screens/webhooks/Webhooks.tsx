/** Webhook endpoints and their deliveries. */
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { WebhookDelivery } from "@winnow/client";
import { href } from "../../data/addresses.ts";
import { winnow } from "../../data/client.ts";
import {
  deliveriesChanged,
  useDeliveries,
  useEndpoints,
  type DeliveryFilter
} from "../../data/deliveries.ts";
import { Empty, Loading, More, Waiting, Problem, useAct } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { note } from "../../parts/Toasts.tsx";
import { webhooksWords } from "./words.ts";
import { filtersWords, navWords, wordOf, words } from "../../words/words.ts";
import { deliveryStatusesWords } from "../../words/laterWords.ts";
import { DeliveryStatus } from "../../parts/DeliveryStatus.tsx";
import { siteOf } from "../../parts/runTexts.ts";
import { Time } from "../../parts/Time.tsx";
import { AddEndpoint, EndpointCard } from "./Endpoints.tsx";

const DeliveryRow = ({ delivery }: { readonly delivery: WebhookDelivery }) => (
  <li>
    <div class="grow">
      <a class="row-link" href={href(`deliveries/${delivery.id}`)}>
        {wordOf(webhooksWords.events, delivery.event)}
      </a>
      <p class="hint">
        {siteOf(delivery.url)} · <Time iso={delivery.createdAt} /> ·{" "}
        {webhooksWords.attemptCount(delivery.attemptCount)}
      </p>
    </div>
    <DeliveryStatus status={delivery.status} />
  </li>
);

const STATUSES = ["delivered", "pending", "failed"] as const;
/** The button resends failed deliveries of events of this many days. */
const RECOVERED_DAYS = 7;
const DAY_MS = 86_400_000;

const RecoverFailed = () => {
  const { act, isBusy, error } = useAct();
  const recover = (): void =>
    void act(
      () =>
        winnow.webhookDeliveries.redeliverFailed({ since: new Date(Date.now() - RECOVERED_DAYS * DAY_MS) }),
      ({ redelivered }) => {
        deliveriesChanged();
        note(webhooksWords.recovered(redelivered));
      }
    );
  return (
    <>
      <button class="button small" type="button" disabled={isBusy} onClick={recover}>
        {webhooksWords.recover}
      </button>
      {error === null ? null : <Problem error={error} />}
    </>
  );
};

const Deliveries = ({ filter }: { readonly filter: DeliveryFilter }) => {
  const { route } = useLocation();
  const list = useDeliveries(filter);
  const { items } = list;
  const choose = (status: string): void =>
    route(href(status === "" ? "webhooks" : `webhooks?status=${status}`), true);
  return (
    <section class="stack tight" aria-label={words.deliveries}>
      <div class="row">
        <h2>{words.deliveries}</h2>
        <div class="tabs" role="group" aria-label={filtersWords.status}>
          {["", ...STATUSES].map((status) => (
            <button
              key={status}
              class="button small"
              type="button"
              aria-pressed={(filter.status ?? "") === status}
              onClick={() => choose(status)}
            >
              {status === "" ? filtersWords.any : deliveryStatusesWords[status as (typeof STATUSES)[number]]}
            </button>
          ))}
        </div>
        <span class="end">
          <RecoverFailed />
        </span>
      </div>
      {items === undefined ? (
        list.error === null ? (
          <Loading lines={5} />
        ) : (
          <Problem error={list.error} retry={() => void list.refetch()} />
        )
      ) : items.length === 0 ? (
        <p class="panel hint">{webhooksWords.noDeliveries}</p>
      ) : (
        <>
          <ul class="panel cards">
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </ul>
          <More query={list} />
        </>
      )}
    </section>
  );
};

const Webhooks = () => {
  const { query } = useLocation();
  const endpoints = useEndpoints();
  const [isAdding, setAdding] = useState(false);
  const status = STATUSES.find((each) => each === query["status"]);
  const { items: sent, hasNextPage } = useDeliveries({});
  const isUnused = (url: string): boolean =>
    sent !== undefined && !hasNextPage && !sent.some((delivery) => delivery.url === url);
  return (
    <>
      <PageHead title={navWords.webhooks} hint={webhooksWords.hint} guide="webhooks">
        <button class="button main" type="button" onClick={() => setAdding(true)}>
          {webhooksWords.add}
        </button>
      </PageHead>
      <Waiting query={endpoints} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={webhooksWords.emptyTitle}>
              <p>{webhooksWords.emptyText}</p>
            </Empty>
          ) : (
            <div class="stack tight">
              {data.map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} isUnused={isUnused(endpoint.url)} />
              ))}
            </div>
          )
        }
      </Waiting>
      {endpoints.isPending ? null : <Deliveries filter={status === undefined ? {} : { status }} />}
      {isAdding ? <AddEndpoint onClose={() => setAdding(false)} /> : null}
    </>
  );
};

export default Webhooks;
