/** The webhook deliveries of this run. */
import { href } from "../../base.ts";
import { useRunDeliveries } from "../../data/deliveries.ts";
import { DeliveryStatus } from "../../parts/DeliveryStatus.tsx";
import { siteOf } from "../../parts/runTexts.ts";
import { words } from "../../words/words.ts";

export const RunDeliveries = ({ id }: { readonly id: string }) => {
  const { data: deliveries = [] } = useRunDeliveries(id, true);
  if (deliveries.length === 0) return null;
  return (
    <section class="panel stack tight" aria-label={words.webhooks.deliveries}>
      <h2>{words.webhooks.deliveries}</h2>
      <ul class="stack tight">
        {deliveries.map((delivery) => (
          <li key={delivery.id} class="row">
            <DeliveryStatus status={delivery.status} />
            <a href={href(`deliveries/${delivery.id}`)}>{siteOf(delivery.url)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
};
