/** A delivery over the list: all attempts and responses, and the redeliver button. Tests: webhooks.test.ts. */
import type { WebhookAttempt, WebhookDeliveryDetail } from "@winnow/client";
import { href } from "../../data/addresses.ts";
import { winnow } from "../../data/client.ts";
import { deliveriesChanged, useDelivery } from "../../data/deliveries.ts";
import { DeliveryStatus } from "../../parts/Status.tsx";
import { Code } from "../../parts/Copy.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { ActButton } from "../../parts/Form.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { Time } from "../../parts/Time.tsx";
import { fullDate, milliseconds, size } from "../../words/format.ts";
import { webhooksWords } from "./webhooksWords.ts";
import { wordOf, words } from "../../words/words.ts";

const headersText = (headers: WebhookAttempt["requestHeaders"]): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

const Attempt = ({ attempt, number }: { readonly attempt: WebhookAttempt; readonly number: number }) => (
  <li class="panel stack tight">
    <div class="row">
      <h3>{webhooksWords.attempt(number)}</h3>
      <DeliveryStatus status={attempt.error === null ? "delivered" : "failed"} />
      <span class="hint">
        {fullDate(attempt.at)} · {milliseconds(attempt.durationMs)}
        {attempt.status === null ? "" : ` · HTTP ${attempt.status}`}
      </span>
    </div>
    {attempt.error === null ? null : <p class="fault">{attempt.error}</p>}
    {Object.keys(attempt.requestHeaders).length === 0 ? null : (
      <details>
        <summary>{webhooksWords.headers}</summary>
        <Code code={headersText(attempt.requestHeaders)} label={webhooksWords.headers} />
      </details>
    )}
    {attempt.responseSnippet === null || attempt.responseSnippet === "" ? null : (
      <>
        <p class="hint">{webhooksWords.answer}</p>
        <Code code={attempt.responseSnippet} label={webhooksWords.answer} />
      </>
    )}
  </li>
);

/** Indented for reading; "Copy" gives the exact text that was signed. */
const Body = ({ body }: { readonly body: string }) => (
  <section class="panel stack tight" aria-label={webhooksWords.body}>
    <div class="row">
      <h3>{webhooksWords.body}</h3>
      <span class="hint">{size(new TextEncoder().encode(body).length)}</span>
    </div>
    <Code code={JSON.stringify(JSON.parse(body), null, 2)} label={webhooksWords.body} copied={body} />
  </section>
);

/** In the result that was sent. */
const titleIn = (body: string | null): string | null => {
  const { data } = JSON.parse(body ?? "{}") as {
    readonly data?: { readonly summary?: { readonly title: string | null } };
  };
  return data?.summary?.title ?? null;
};

const Facts = ({ delivery }: { readonly delivery: WebhookDeliveryDetail }) => (
  <section class="panel stack tight" aria-label={webhooksWords.delivery}>
    <div class="row">
      <DeliveryStatus status={delivery.status} />
      {delivery.nextAttemptAt === null ? null : (
        <span class="hint">
          {webhooksWords.next} <Time iso={delivery.nextAttemptAt} />
        </span>
      )}
    </div>
    <p class="mono">{delivery.url}</p>
    {delivery.note === null ? null : <p class="notice">{delivery.note}</p>}
    {delivery.extractionId === null ? null : (
      <p>
        <a dir="auto" href={href(`runs/${delivery.extractionId}`)}>
          {titleIn(delivery.body) ?? words.extraction}
        </a>
      </p>
    )}
    <p class="hint">
      <code>{delivery.id}</code>
    </p>
  </section>
);

export const Delivery = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const query = useDelivery(id);
  const { data } = query;
  const title =
    data === undefined
      ? webhooksWords.delivery
      : `${webhooksWords.delivery}: ${wordOf(webhooksWords.events, data.event)}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <Waiting query={query} lines={3}>
        {(delivery) => (
          <>
            <Facts delivery={delivery} />
            {delivery.attempts.length === 0 ? <p class="hint">{webhooksWords.noAttempts}</p> : null}
            <ol class="stack tight" aria-label={webhooksWords.attempts}>
              {delivery.attempts.map((attempt, index) => (
                <Attempt key={attempt.at} attempt={attempt} number={index + 1} />
              ))}
            </ol>
            {delivery.body === null ? (
              <p class="hint">{webhooksWords.noBody}</p>
            ) : (
              <Body body={delivery.body} />
            )}
          </>
        )}
      </Waiting>
      <div class="row end">
        <button class="button" type="button" onClick={onClose}>
          {words.close}
        </button>
        <ActButton
          class="button main"
          disabled={data === undefined}
          does={() => winnow.webhookDeliveries.redeliver(id)}
          then={deliveriesChanged}
        >
          {webhooksWords.redeliver}
        </ActButton>
      </div>
    </Dialog>
  );
};
