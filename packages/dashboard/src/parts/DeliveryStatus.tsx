/** Status of a delivery, as a word and a shape. */
import { deliveryStatusesWords, wordOf } from "../words/words.ts";
import { Shape, type Shown } from "./Status.tsx";

const OF_DELIVERIES: Readonly<Record<string, Shown>> = {
  delivered: "done",
  failed: "failed",
  pending: "waiting"
};

export const DeliveryStatus = ({ status }: { readonly status: string }) => (
  <Shape as={OF_DELIVERIES[status]}>{wordOf(deliveryStatusesWords, status)}</Shape>
);
