/** Webhook endpoints: adding one, whose secret is shown once with the code that verifies it; its state, test and actions. */
import type { CreatedWebhookEndpoint, WebhookEndpoint } from "@winnow/client";
import { useState } from "preact/hooks";
import { winnow } from "../../data/client.ts";
import { deliveriesChanged, useDelivery } from "../../data/deliveries.ts";
import { Code } from "../../parts/Copy.tsx";
import { Dialog, Confirm, SecretOnce } from "../../parts/Dialog.tsx";
import { Problem, useAct } from "../../parts/Waiting.tsx";
import { note } from "../../parts/Toasts.tsx";
import { webhooksWords } from "./webhooksWords.ts";
import { words } from "../../words/words.ts";
import { href } from "../../data/addresses.ts";
import { Time } from "../../parts/Time.tsx";
import { fullDate } from "../../words/format.ts";

const RECEIVER = [
  'import { verifyWebhook } from "@winnow/client/webhooks";',
  "",
  "const event = await verifyWebhook({",
  "  payload: await request.text(),",
  "  headers: request.headers,",
  "  secret: process.env.WINNOW_WEBHOOK_SECRET!",
  "});"
].join("\n");

export const AddEndpoint = ({ onClose }: { readonly onClose: () => void }) => {
  const [url, setUrl] = useState("");
  const [made, setMade] = useState<CreatedWebhookEndpoint | null>(null);
  const { act, isBusy, error } = useAct();
  if (made !== null) {
    return (
      <SecretOnce title={webhooksWords.secret} secret={made.secret} onKept={onClose}>
        <p class="hint">{webhooksWords.receiver}</p>
        <Code code={RECEIVER} label={webhooksWords.receiver} />
      </SecretOnce>
    );
  }
  const add = (): void =>
    void act(
      () => winnow.webhookEndpoints.create({ url: url.trim() }),
      (endpoint) => {
        deliveriesChanged();
        const { secret } = endpoint;
        if (secret !== undefined) setMade({ ...endpoint, secret });
        else {
          note(webhooksWords.known);
          onClose();
        }
      }
    );
  return (
    <Dialog title={webhooksWords.add} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label class="stack tight">
          {webhooksWords.url}
          <input
            type="text"
            inputMode="url"
            required
            pattern=".*\S.*"
            spellcheck={false}
            autocapitalize="off"
            placeholder="https://"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </label>
        <p class="hint">{webhooksWords.urlHint}</p>
        {error === null ? null : <Problem error={error} />}
        <div class="row end">
          <button class="button" type="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button main" type="submit" disabled={isBusy}>
            {webhooksWords.add}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

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

type PendingAction = "rotate" | "delete" | null;

const Health = ({ endpoint, isUnused }: EndpointProps) => {
  const { notice, failingSince } = endpoint;
  if (notice === null && failingSince === null) {
    return <p class="hint">{isUnused ? webhooksWords.unused : webhooksWords.healthy}</p>;
  }
  return (
    <p class={notice === null ? "fault" : "notice"}>
      {notice}{" "}
      {failingSince === null ? null : (
        <>
          {webhooksWords.failingSince} <Time iso={failingSince} />
        </>
      )}
    </p>
  );
};

interface ActionsProps {
  readonly isBusy: boolean;
  readonly onTest: () => void;
  /** Null while it is enabled. */
  readonly onEnable: (() => void) | null;
  readonly onAsk: (action: "rotate" | "delete") => void;
}

const Actions = ({ isBusy, onTest, onEnable, onAsk }: ActionsProps) => (
  <div class="row">
    <button class="button small" type="button" disabled={isBusy} onClick={onTest}>
      {webhooksWords.test}
    </button>
    {onEnable === null ? null : (
      <button class="button small main" type="button" disabled={isBusy} onClick={onEnable}>
        {webhooksWords.enable}
      </button>
    )}
    <button class="button small" type="button" onClick={() => onAsk("rotate")}>
      {webhooksWords.rotate}
    </button>
    <button class="button small" type="button" onClick={() => onAsk("delete")}>
      {words.delete}
    </button>
  </div>
);

interface QuestionProps {
  readonly action: "rotate" | "delete";
  readonly url: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const Question = ({ action: asked, url, ...rest }: QuestionProps) =>
  asked === "rotate" ? (
    <Confirm title={webhooksWords.rotate} action={webhooksWords.rotate} {...rest}>
      <p>{webhooksWords.rotateText}</p>
    </Confirm>
  ) : (
    <Confirm title={webhooksWords.deleteTitle} action={words.delete} {...rest}>
      <p>{url}</p>
    </Confirm>
  );

export const EndpointCard = ({ endpoint, isUnused }: EndpointProps) => {
  const { act, isBusy, error } = useAct();
  const [pendingAction, setAsked] = useState<PendingAction>(null);
  const [testId, setTestId] = useState<string | null>(null);
  const [secret, setSecret] = useState<{ readonly secret: string; readonly until: string } | null>(null);
  const close = (): void => setAsked(null);
  const changed = (): void => {
    deliveriesChanged();
    close();
  };
  const { id } = endpoint;
  const { webhookEndpoints } = winnow;
  const test = (): void =>
    void act(
      () => webhookEndpoints.test(id),
      (delivery) => {
        setTestId(delivery.id);
        deliveriesChanged();
      }
    );
  const rotate = (): void =>
    void act(
      () => webhookEndpoints.rotateSecret(id),
      (rotated) => {
        changed();
        setSecret({ secret: rotated.secret, until: rotated.previousSecretExpiresAt });
      }
    );
  return (
    <article class="panel stack tight">
      <h2 class="address-title">{endpoint.url}</h2>
      <Health endpoint={endpoint} isUnused={isUnused} />
      {error === null ? null : <Problem error={error} />}
      <Actions
        isBusy={isBusy}
        onTest={test}
        onEnable={
          endpoint.disabledAt === null ? null : () => void act(() => webhookEndpoints.enable(id), changed)
        }
        onAsk={setAsked}
      />
      {testId === null ? null : <TestDelivery key={testId} id={testId} />}
      {pendingAction === null ? null : (
        <Question
          action={pendingAction}
          url={endpoint.url}
          isBusy={isBusy}
          onConfirm={
            pendingAction === "rotate" ? rotate : () => void act(() => webhookEndpoints.delete(id), changed)
          }
          onClose={close}
        />
      )}
      {secret === null ? null : (
        <SecretOnce title={webhooksWords.secret} secret={secret.secret} onKept={() => setSecret(null)}>
          <p class="hint">{webhooksWords.bothUntil(fullDate(secret.until))}</p>
        </SecretOnce>
      )}
    </article>
  );
};
