/** The services of one run: what all runs share, through the run's route. */
import * as Effect from "effect/Effect";
import { makeRunFolder } from "@winnow/isolation/process/RunFolder";
import type { YtDlpPlace } from "../yt-dlp/YtDlp.ts";
import type { RoutedRun } from "../ways/Routes.ts";
import type { InspectorServices } from "./SourceInspector.ts";

/** Services that do not depend on the route. */
export type SharedServices = Omit<InspectorServices, "egress" | "cookies">;

const FORBIDDEN = 403;

const SAYS_FORBIDDEN = /\bHTTP Error 403\b/iu;

/** The route learns of answers that forbid what was asked for. */
export const routedServices = (services: SharedServices, run: RoutedRun): InspectorServices => {
  const { cookies, egress, noteForbidden } = run;
  const { inspect } = services.ytDlp;
  return {
    ...services,
    cookies,
    egress: {
      ...egress,
      fetch: (url, options) =>
        Effect.tap(egress.fetch(url, options), ({ status }) =>
          Effect.sync(() => {
            if (status === FORBIDDEN) noteForbidden();
          })
        )
    },
    ytDlp: {
      ...services.ytDlp,
      inspect: (...question) =>
        Effect.tap(inspect(...question), (answer) =>
          Effect.sync(() => {
            if (!answer.ok && (answer.status === FORBIDDEN || SAYS_FORBIDDEN.test(answer.message))) {
              noteForbidden();
            }
          })
        )
    }
  };
};

/** Where the programs of an inspection run. */
export const openPlace = Effect.fnUntraced(function* (services: InspectorServices) {
  const { cookies, egress, limits, workDir } = services;
  const folder = yield* makeRunFolder(workDir);
  const proxy = yield* egress.openProxy({ budgetBytes: limits.inspectBudgetBytes });
  const place: YtDlpPlace = { folder, proxyUrl: proxy.url, cookies };
  return { folder, proxy, place };
});
