/** Adds a webhook endpoint, then shows its secret once, with the code that verifies it. */
import type { CreatedWebhookEndpoint } from "@winnow/client";
import { useState } from "preact/hooks";
import { winnow } from "../../data/client.ts";
import { deliveriesChanged } from "../../data/deliveries.ts";
import { Code } from "../../parts/Copy.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { note } from "../../parts/Toasts.tsx";
import { words } from "../../words/words.ts";

export const RECEIVER = [
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
      <SecretOnce title={words.webhooks.secret} secret={made.secret} onKept={onClose}>
        <p class="hint">{words.webhooks.receiver}</p>
        <Code code={RECEIVER} label={words.webhooks.receiver} />
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
          note(words.webhooks.known);
          onClose();
        }
      }
    );
  return (
    <Dialog title={words.webhooks.add} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label class="stack tight">
          {words.webhooks.url}
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
        <p class="hint">{words.webhooks.urlHint}</p>
        {error === null ? null : <Problem error={error} />}
        <div class="row end">
          <button class="button" type="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button class="button main" type="submit" disabled={isBusy}>
            {words.webhooks.add}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
