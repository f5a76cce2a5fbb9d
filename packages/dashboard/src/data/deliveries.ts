/** Webhook endpoints and their deliveries. Tests: webhooks.test.ts. */
import { useQuery } from "@tanstack/preact-query";
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpointList } from "@winnow/client";
import { cache, keys, every, changed, PAGE_SIZE, usePages } from "./cache.ts";
import { winnow } from "./client.ts";

/** Three looks before the first retry of a delivery, which comes after half a minute. */
const POLL_MS = 10_000;
/** Of a delivery that somebody is looking at. */
const PENDING_POLL_MS = 1_500;
/** The most that one page of the API has. */
const RUN_DELIVERIES_MAX = 100;

const LIST = ["deliveries"];
const ONE = ["delivery"];

export const useEndpoints = () =>
  useQuery({
    queryKey: keys.endpoints,
    queryFn: ({ signal }): Promise<WebhookEndpointList> => winnow.webhookEndpoints.page({ signal }),
    refetchInterval: every(POLL_MS)
  });

export interface DeliveryFilter {
  readonly status?: "pending" | "delivered" | "failed";
}

const isOpen = ({ status }: Pick<WebhookDelivery, "status">): boolean => status === "pending";

export const useDeliveries = (filter: DeliveryFilter) =>
  usePages<WebhookDelivery>([...LIST, filter], (cursor, signal) =>
    winnow.webhookDeliveries.page({ ...filter, limit: PAGE_SIZE, cursor, signal })
  );

/** The deliveries of one run. They are sent when the run ends, so only the newest deliveries are searched. */
export const useRunDeliveries = (extractionId: string) =>
  useQuery({
    queryKey: ["runDeliveries", extractionId],
    queryFn: async ({ signal }): Promise<ReadonlyArray<WebhookDelivery>> => {
      const { data } = await winnow.webhookDeliveries.page({ limit: RUN_DELIVERIES_MAX, signal });
      return data.filter((delivery) => delivery.extractionId === extractionId);
    },
    refetchInterval: (query) => (query.state.data?.some(isOpen) ? every(POLL_MS)(query) : false)
  });

export const useDelivery = (id: string) =>
  useQuery({
    queryKey: [...ONE, id],
    queryFn: async ({ signal }): Promise<WebhookDeliveryDetail> => {
      const before = cache.getQueryData<WebhookDeliveryDetail>([...ONE, id]);
      const delivery = await winnow.webhookDeliveries.get(id, { signal });
      if (before !== undefined && before.attempts.length !== delivery.attempts.length)
        changed(keys.endpoints, LIST);
      return delivery;
    },
    refetchInterval: (query) =>
      query.state.data === undefined || isOpen(query.state.data) ? every(PENDING_POLL_MS)(query) : false
  });

export const deliveriesChanged = (): void => changed(keys.endpoints, LIST, ONE);
