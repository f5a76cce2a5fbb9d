/** Webhook endpoints and their deliveries. */
import { useLocation } from "preact-iso";
import type { WebhookDelivery } from "@winnow/client";
import { href } from "../../data/addresses.ts";
import { winnow } from "../../data/client.ts";
import {
  deliveriesChanged,
  useDeliveries,
  useEndpoints,
  type DeliveryFilter
} from "../../data/deliveries.ts";
import { useExtractions } from "../../data/extractions.ts";
import { ActButton } from "../../parts/Form.tsx";
import { Empty, More, Waiting } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { note } from "../../parts/Toasts.tsx";
import { webhooksWords } from "./webhooksWords.ts";
import { DAY_SECONDS } from "../../words/format.ts";
import { filtersWords, tabWords, wordOf, words, deliveryStatusesWords } from "../../words/words.ts";
import { DeliveryStatus } from "../../parts/Status.tsx";
import { nameOf, shortUrl } from "../../parts/runTexts.ts";
import { Tabs } from "../../parts/Tabs.tsx";
import { Time } from "../../parts/Time.tsx";
import { Delivery } from "./Delivery.tsx";
import { AddEndpoint, EndpointCard } from "./Endpoints.tsx";

/** With a status in the URL, and a delivery that is open over the list. */
const addressOf = (status = "", delivery = ""): string => href("developers/webhooks", { status, delivery });

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery;
  /** Of its extraction, if that is one of the newest. */
  readonly name: string | undefined;
  readonly status: string | undefined;
}

const DeliveryRow = ({ delivery, name, status }: DeliveryRowProps) => (
  <li>
    <div class="grow">
      <a class="row-link" dir="auto" href={addressOf(status, delivery.id)}>
        {wordOf(webhooksWords.events, delivery.event)}
        {name === undefined ? null : `: ${name}`}
      </a>
      <p class="hint">
        {shortUrl(delivery.url)} · <Time iso={delivery.createdAt} /> · {webhooksWords.attempted(delivery)}
      </p>
      {delivery.note === null ? null : <p class="fault">{delivery.note}</p>}
    </div>
    <DeliveryStatus status={delivery.status} />
  </li>
);

const STATUSES = ["delivered", "pending", "failed"] as const;
/** The button resends failed deliveries of events of this many days. */
const RECOVERED_DAYS = 7;

const RecoverFailed = () => (
  <ActButton
    class="button small"
    does={() =>
      winnow.webhookDeliveries.redeliverFailed({
        since: new Date(Date.now() - RECOVERED_DAYS * DAY_SECONDS * 1_000)
      })
    }
    then={({ redelivered }) => {
      deliveriesChanged();
      note(webhooksWords.recovered(redelivered));
    }}
  >
    {webhooksWords.recover}
  </ActButton>
);

const Deliveries = ({ filter }: { readonly filter: DeliveryFilter }) => {
  const { route } = useLocation();
  const list = useDeliveries(filter);
  const { items: runs = [] } = useExtractions({});
  const names = new Map(runs.map((run) => [run.id, nameOf(run)]));
  return (
    <section class="stack tight" aria-label={words.deliveries}>
      <div class="row">
        <h2>{words.deliveries}</h2>
        <Tabs
          label={filtersWords.status}
          tabs={[
            ["", filtersWords.any],
            ...STATUSES.map((each) => [each, deliveryStatusesWords[each]] as const)
          ]}
          shown={filter.status ?? ""}
          onShow={(status) => route(addressOf(status), true)}
        />
        <span class="end">
          <RecoverFailed />
        </span>
      </div>
      <Waiting query={{ ...list, data: list.items }} lines={5}>
        {(items) =>
          items.length === 0 ? (
            <p class="panel hint">{webhooksWords.noDeliveries}</p>
          ) : (
            <ul class="panel cards">
              {items.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  name={names.get(delivery.extractionId ?? "")}
                  status={filter.status}
                />
              ))}
            </ul>
          )
        }
      </Waiting>
      <More query={list} />
    </section>
  );
};

const Webhooks = () => {
  const { query, route } = useLocation();
  const endpoints = useEndpoints();
  const status = STATUSES.find((each) => each === query["status"]);
  const { items: sent, hasNextPage } = useDeliveries({});
  const isUnused = (url: string): boolean =>
    sent !== undefined && !hasNextPage && !sent.some((delivery) => delivery.url === url);
  return (
    <>
      <PageHead title={tabWords.webhooks} hint={webhooksWords.hint} guide="webhooks">
        <AddEndpoint />
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
      {query["delivery"] === undefined ? null : (
        <Delivery
          key={query["delivery"]}
          id={query["delivery"]}
          onClose={() => route(addressOf(status), true)}
        />
      )}
    </>
  );
};

export default Webhooks;
