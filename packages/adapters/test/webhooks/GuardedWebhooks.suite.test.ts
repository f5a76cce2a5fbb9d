import { afterAll } from "@effect/vitest";
import { type OpenReceiver, suite } from "@winnow/testing/suites/WebhookTransportSuite";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as GuardedWebhooks from "../../src/webhooks/GuardedWebhooks.ts";
import { receiver } from "./Receiver.ts";
import { testAuthority, trust } from "@winnow/isolation/test/network/TestAuthority";

const HOST = "hooks.example.org";

const authority = await testAuthority();
afterAll(trust(authority.cert));
const identity = await authority.issue([HOST]);

const transport = GuardedWebhooks.layer({
  allow: ["127.0.0.1"],
  resolve: (host) => (host === HOST ? ["127.0.0.1"] : [])
}).pipe(Layer.orDie, Layer.provide(Logger.layer([])));

const openReceiver: OpenReceiver<never> = (answer) =>
  Effect.map(
    receiver(identity, (request, response) => {
      if (answer === null) return request.socket.destroy();
      return response.writeHead(answer.status, { location: "/elsewhere" }).end(answer.body);
    }),
    ({ port, received }) => ({ url: `https://${HOST}:${port}`, arrived: () => received })
  );

suite("through the guard", transport, openReceiver, "https://nowhere.example.org/");
