/** Webhook endpoints and their deliveries. */
import { useQuery } from "@tanstack/preact-query";
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpointList } from "@winnow/client";
import { cache, keys } from "./cache.ts";
import { winnow } from "./client.ts";
import { PAGE_SIZE, refreshHead, usePages } from "./lists.ts";

/** Failed deliveries are retried after 30 s, 2 min and 10 min. */
const POLL_MS = 10_000;
const RUN_DELIVERIES_MAX = 100;

export const useEndpoints = () =>
  useQuery({
    queryKey: keys.endpoints,
    queryFn: ({ signal }): Promise<WebhookEndpointList> => winnow.webhookEndpoints.page({ signal }),
    refetchInterval: POLL_MS
  });

export interface DeliveryFilter {
  readonly status?: "pending" | "delivered" | "failed";
}

const page = (filter: DeliveryFilter, cursor?: string, signal?: AbortSignal) =>
  winnow.webhookDeliveries.page({ ...filter, limit: PAGE_SIZE, cursor, signal });

export const useDeliveries = (filter: DeliveryFilter) =>
  usePages<WebhookDelivery>(keys.deliveries(filter), (cursor, signal) => page(filter, cursor, signal));

export const refreshDeliveries = (filter: DeliveryFilter): Promise<void> =>
  refreshHead(keys.deliveries(filter), () => page(filter));

/** The deliveries of one run. They are sent when the run ends, so only the newest deliveries are searched. */
export const useRunDeliveries = (extractionId: string, isWanted: boolean) =>
  useQuery({
    queryKey: [...keys.everyDeliveries, "run", extractionId],
    queryFn: async ({ signal }): Promise<ReadonlyArray<WebhookDelivery>> => {
      const { data } = await winnow.webhookDeliveries.page({ limit: RUN_DELIVERIES_MAX, signal });
      return data.filter((delivery) => delivery.extractionId === extractionId);
    },
    enabled: isWanted,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "pending") ? POLL_MS : false)
  });

export const useDelivery = (id: string) =>
  useQuery({
    queryKey: keys.delivery(id),
    queryFn: ({ signal }): Promise<WebhookDeliveryDetail> => winnow.webhookDeliveries.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? POLL_MS / 4 : false)
  });

export const deliveriesChanged = (): void => {
  void cache.invalidateQueries({ queryKey: keys.endpoints });
  void cache.invalidateQueries({ queryKey: keys.everyDeliveries });
  void cache.invalidateQueries({ queryKey: ["delivery"] });
};
