/** A row of the list of deliveries. */
import type { WebhookDelivery } from "@winnow/client";
import { href } from "../../base.ts";
import { DeliveryStatus } from "../../parts/DeliveryStatus.tsx";
import { siteOf } from "../../parts/runTexts.ts";
import { Time } from "../../parts/Time.tsx";
import { wordOf, words } from "../../words/words.ts";

export const DeliveryRow = ({ delivery }: { readonly delivery: WebhookDelivery }) => (
  <li>
    <div class="grow">
      <a class="row-link" href={href(`deliveries/${delivery.id}`)}>
        {wordOf(words.webhooks.events, delivery.event)}
      </a>
      <p class="hint">
        {siteOf(delivery.url)} · <Time iso={delivery.createdAt} /> ·{" "}
        {words.webhooks.attemptCount(delivery.attemptCount)}
      </p>
    </div>
    <DeliveryStatus status={delivery.status} />
  </li>
);
