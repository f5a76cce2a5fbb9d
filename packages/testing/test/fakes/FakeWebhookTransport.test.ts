import { WebhookNotSent } from "@winnow/core/ports/WebhookTransport";
import * as Effect from "effect/Effect";
import * as FakeWebhookTransport from "../../src/fakes/FakeWebhookTransport.ts";
import { type OpenReceiver, suite } from "../../src/suites/WebhookTransportSuite.ts";

let hosts = 0;

const openReceiver: OpenReceiver<FakeWebhookTransport.Inbox> = (answer) =>
  Effect.map(FakeWebhookTransport.Inbox, (inbox) => {
    const host = `hooks-${(hosts += 1)}.example`;
    inbox.answer(host, () =>
      answer === null
        ? Effect.fail(new WebhookNotSent({ message: "The server closed the connection." }))
        : Effect.succeed(answer)
    );
    return {
      url: `https://${host}`,
      arrived: () =>
        inbox
          .received()
          .filter(({ url }) => new URL(url).host === host)
          .map(({ headers, text }) => ({ headers, body: text }))
    };
  });

suite("without connections", FakeWebhookTransport.layer, openReceiver, "https://nowhere.invalid/");
