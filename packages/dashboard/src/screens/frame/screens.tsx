/** The screen of each URL. All except the list are loaded on demand. */
import type { ComponentType } from "preact";
import { lazy, Route, Router } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { loadPart } from "../../parts/later.tsx";
import { words } from "../../words/words.ts";
import { MissingPart } from "../../parts/MissingPart.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Extractions } from "../extractions/Extractions.tsx";

const screen = <Props,>(load: () => Promise<{ readonly default: ComponentType<Props> }>) =>
  lazy(async () => {
    try {
      return await loadPart(load);
    } catch (cause) {
      return { default: () => <MissingPart cause={cause} /> };
    }
  });

const New = screen(() => import("../new/New.tsx"));
const Run = screen(() => import("../run/Run.tsx"));
const Schemas = screen(() => import("../schemas/Schemas.tsx"));
const Schema = screen(() => import("../schemas/Schema.tsx"));
const Webhooks = screen(() => import("../webhooks/Webhooks.tsx"));
const Delivery = screen(() => import("../webhooks/Delivery.tsx"));
const ApiKeys = screen(() => import("../keys/ApiKeys.tsx"));
const Billing = screen(() => import("../billing/Billing.tsx"));
const Account = screen(() => import("../account/Account.tsx"));
const Operator = screen(() => import("../operator/Operator.tsx"));

const Unknown = () => (
  <>
    <PageHead title={words.unknown.title} />
    <p>
      {words.unknown.text} <a href={href("")}>{words.nav.extractions}</a>
    </p>
  </>
);

export const Screens = () => (
  <Router>
    <Route path={href("")} component={Extractions} />
    <Route path={href("new")} component={New} />
    <Route path={href("runs/:id")} component={Run} />
    <Route path={href("schemas")} component={Schemas} />
    <Route path={href("schemas/:id")} component={Schema} />
    <Route path={href("webhooks")} component={Webhooks} />
    <Route path={href("deliveries/:id")} component={Delivery} />
    <Route path={href("keys")} component={ApiKeys} />
    <Route path={href("billing")} component={Billing} />
    <Route path={href("account")} component={Account} />
    <Route default component={Unknown} />
  </Router>
);

export const OperatorScreens = () => (
  <Router>{[<Route key="operator" default component={Operator} />]}</Router>
);
