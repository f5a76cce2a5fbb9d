// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { newSession, signInLinkOf } from "@winnow/core/domain/access/Session";
import { Sessions } from "@winnow/core/ports/Sessions";
import { Store } from "@winnow/core/ports/Store";
import { sampleAccount, uniqueId } from "@winnow/testing/samples/samples";
import { suite } from "@winnow/testing/suites/SessionsSuite";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgSessions from "../../../src/database/store/PgSessions.ts";
import { storeLayer } from "./TestPostgres.ts";

const layer = Layer.provideMerge(PgSessions.layer, storeLayer);

suite("PostgreSQL", layer);

withLayer(layer, { excludeTestServices: true })("PgSessions", (it) => {
  it.effect("expired ones are removed with the account's next link or session", () =>
    Effect.gen(function* () {
      const [sessions, store, sql] = [yield* Sessions, yield* Store, yield* SqlClient.SqlClient];
      const { id } = sampleAccount();
      yield* store.createAccount(sampleAccount({ id }));
      const counts = Effect.map(
        sql<{ readonly links: number; readonly sessions: number }>`select
          (select count(*)::integer from winnow.sign_in_link where account_id = ${id}) as links,
          (select count(*)::integer from winnow.web_session where account_id = ${id}) as sessions`,
        ([row]) => [row?.links, row?.sessions]
      );
      const signIn = Effect.fnUntraced(function* (nowMs: number) {
        yield* sessions.createLink(signInLinkOf(id, uniqueId("hash"), nowMs));
        const link = signInLinkOf(id, uniqueId("hash"), nowMs);
        yield* sessions.createLink(link);
        yield* sessions.redeemLink(link.hash, newSession(uniqueId("ses"), uniqueId("hash"), nowMs));
      });
      yield* signIn(0);
      assert.deepStrictEqual(yield* counts, [1, 1]);
      yield* signIn(1_700_000_000_000);
      assert.deepStrictEqual(yield* counts, [1, 1]);
    })
  );

  it.effect("a link of an account that does not exist is a defect", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const exit = yield* Effect.exit(sessions.createLink(signInLinkOf("acc_none", uniqueId("hash"), 0)));
      assert.isTrue(Exit.hasDies(exit));
    })
  );
});
