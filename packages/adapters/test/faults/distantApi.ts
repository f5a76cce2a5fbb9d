/**
 * An API on a host of its own: each number on its standard input is a run to submit, of an account of its own. The
 * first number comes once the host has its addresses.
 */
import { createInterface } from "node:readline";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Webhooks } from "@winnow/core/engine/webhooks/Webhooks";
import * as Effect from "effect/Effect";
import { accountName, CREDITS, distantLayer, urlOf } from "./distantEngine.ts";
import { endWithParent } from "./TestEngine.ts";

const submit = Effect.fnUntraced(function* (index: number) {
  const accounts = yield* Accounts;
  const { id } = yield* accounts.create(accountName(index));
  yield* accounts.topUp(id, CREDITS);
  yield* Webhooks.use((webhooks) => webhooks.register(id, { url: "https://hooks.example/" }));
  yield* Extractions.use((extractions) => extractions.submit(id, { url: urlOf(index) }, null));
});

// Created at once, because it keeps what is written meanwhile.
const numbers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
endWithParent();
const first = await numbers.next();
const submitAll = Effect.gen(function* () {
  for (let next = first; next.done !== true; next = yield* Effect.promise(() => numbers.next())) {
    yield* submit(Number(next.value));
  }
});
await Effect.runPromise(submitAll.pipe(Effect.provide(distantLayer(process.env)), Effect.scoped));
