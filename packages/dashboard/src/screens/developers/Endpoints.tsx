/**
 * Webhook endpoints: adding one, whose secret is shown once with the code that verifies it; its state, test and
 * actions. Tests: webhooks.test.ts.
 */
import type { WebhookEndpoint } from "@winnow/client";
import { useState } from "preact/hooks";
import { winnow } from "../../data/client.ts";
import { deliveriesChanged, useDelivery } from "../../data/deliveries.ts";
import { Code } from "../../parts/Copy.tsx";
import { AskButton } from "../../parts/Dialog.tsx";
import { ActButton, Field } from "../../parts/Form.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { note } from "../../parts/Toasts.tsx";
import { webhooksWords } from "./webhooksWords.ts";
import { words } from "../../words/words.ts";
import { href } from "../../data/addresses.ts";
import { Time } from "../../parts/Time.tsx";
import { dayTime, fullDate } from "../../words/format.ts";

const RECEIVER = [
  'import { verifyWebhook } from "@winnow/client/webhooks";',
  "",
  "const event = await verifyWebhook({",
  "  payload: await request.text(),",
  "  headers: request.headers,",
  "  secret: process.env.WINNOW_WEBHOOK_SECRET!",
  "});"
].join("\n");

export const AddEndpoint = () => (
  <AskButton
    action={webhooksWords.add}
    kind="button main"
    isDangerous={false}
    does={(valueOf) => winnow.webhookEndpoints.create({ url: valueOf("url") })}
    then={deliveriesChanged}
    secretOf={({ secret }) => {
      if (secret === undefined) {
        note(webhooksWords.known);
        return null;
      }
      const children = (
        <>
          <p class="hint">{webhooksWords.receiver}</p>
          <Code code={RECEIVER} label={webhooksWords.receiver} />
        </>
      );
      return { title: webhooksWords.secret, secret, children };
    }}
  >
    <Field
      label={webhooksWords.url}
      name="url"
      inputMode="url"
      required
      pattern=".*\S.*"
      spellcheck={false}
      autocapitalize="off"
      placeholder="https://"
    />
    <p class="hint">{webhooksWords.urlHint}</p>
  </AskButton>
);

// What became of a test: the server answers at once, and delivers it afterwards.

const TestDelivery = ({ id }: { readonly id: string }) => {
  const { data: delivery, error, refetch } = useDelivery(id);
  if (delivery === undefined && error !== null) {
    return <Problem error={error} retry={() => void refetch()} />;
  }
  const failure = delivery?.attempts.at(-1)?.error ?? delivery?.note ?? null;
  const isFailed = delivery?.status === "failed" || (delivery?.status === "pending" && failure !== null);
  return (
    <p class={isFailed ? "fault" : "hint"} role="status">
      {delivery?.status === "delivered"
        ? webhooksWords.tested
        : isFailed
          ? webhooksWords.testFailed(failure ?? "")
          : webhooksWords.testUnderWay}{" "}
      {isFailed && delivery?.nextAttemptAt != null ? (
        <>
          {webhooksWords.next} <Time iso={delivery.nextAttemptAt} />.{" "}
        </>
      ) : null}
      <a href={href(`developers/webhooks?delivery=${id}`)}>{webhooksWords.testAttempts}</a>
    </p>
  );
};

// A webhook endpoint: its state and actions.

interface EndpointProps {
  readonly endpoint: WebhookEndpoint;
  /** Nothing was ever sent to it. */
  readonly isUnused: boolean;
}

const Health = ({ endpoint, isUnused }: EndpointProps) => {
  const { notice, failingSince } = endpoint;
  if (notice === null && failingSince === null) {
    return <p class="hint">{isUnused ? webhooksWords.unused : webhooksWords.healthy}</p>;
  }
  return (
    <p class={notice === null ? "fault" : "notice"}>
      {notice} {failingSince === null ? null : webhooksWords.failingSince(dayTime(failingSince))}
    </p>
  );
};

export const EndpointCard = ({ endpoint, isUnused }: EndpointProps) => {
  const [testId, setTestId] = useState<string | null>(null);
  const { id, url } = endpoint;
  const { webhookEndpoints } = winnow;
  return (
    <article class="panel stack tight">
      <h2 class="mono">{url}</h2>
      <Health endpoint={endpoint} isUnused={isUnused} />
      <div class="row">
        <ActButton
          class="button small"
          does={() => webhookEndpoints.test(id)}
          then={(delivery) => {
            setTestId(delivery.id);
            deliveriesChanged();
          }}
        >
          {webhooksWords.test}
        </ActButton>
        {endpoint.disabledAt === null ? null : (
          <ActButton
            class="button small main"
            does={() => webhookEndpoints.enable(id)}
            then={deliveriesChanged}
          >
            {webhooksWords.enable}
          </ActButton>
        )}
        <AskButton
          kind="button small"
          action={webhooksWords.rotate}
          does={() => webhookEndpoints.rotateSecret(id)}
          then={deliveriesChanged}
          secretOf={({ secret, previousSecretExpiresAt }) => ({
            title: webhooksWords.secret,
            secret,
            children: <p class="hint">{webhooksWords.bothUntil(fullDate(previousSecretExpiresAt))}</p>
          })}
        >
          <p>{webhooksWords.rotateText}</p>
        </AskButton>
        <AskButton
          kind="button small"
          title={webhooksWords.deleteTitle}
          action={words.delete}
          does={() => webhookEndpoints.delete(id)}
          then={deliveriesChanged}
        >
          <p>{url}</p>
        </AskButton>
      </div>
      {testId === null ? null : <TestDelivery key={testId} id={testId} />}
    </article>
  );
};
