/** Reads the routes of the file that an operator writes (`WINNOW_ROUTES`). Pure. */
import { DEFAULT_ROUTE, type SourceRoute } from "@winnow/adapters/sources/ways/SourceRoute";
import { quotedText, readFields } from "@winnow/core/domain/request/BodyFields";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { readProxyAddress } from "@winnow/isolation/network/guard/ProxyAddress";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";

/** Names are label values of metrics, so their number is limited. */
const ROUTES_MAX = 64;
const HOSTS_MAX = 1_000;

/** "homes-1". */
const ROUTE_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/u;

/** "cdn-1.example.com" (RFC 1035, 2.3.4). */
const HOST =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/u;

const RouteFields = Schema.Struct({
  name: Schema.String,
  proxy: Schema.optionalKey(Schema.String),
  cookies: Schema.optionalKey(Schema.String),
  hosts: Schema.optionalKey(Schema.Array(Schema.String)),
  order: Schema.Int
});

const MAY_BE_SECRET = /@|:\/\//u;

/** A text of the operator's for a message; not if it may be a URL with a password that is in a wrong place. */
export const shownText = (text: string, quote = '"'): string =>
  MAY_BE_SECRET.test(text)
    ? "(not shown, as it may contain a password)"
    : `${quote}${quotedText(text)}${quote}`;

const hostsProblem = (hosts: ReadonlyArray<string>): string | null => {
  if (hosts.length === 0) return "`hosts` is empty: name a host, or leave the field out to serve all hosts.";
  if (hosts.length > HOSTS_MAX) return `\`hosts\` has more than ${HOSTS_MAX} entries.`;
  const odd = hosts.find((host) => !HOST.test(host));
  return odd === undefined
    ? null
    : `\`hosts\` has ${shownText(odd)}: write a host such as "youtube.com", in lower case, without scheme, port or path.`;
};

const readRoute = (body: object): Result.Result<SourceRoute, string> =>
  Result.gen(function* () {
    const odd = Object.keys(body).find((key) => MAY_BE_SECRET.test(key));
    if (odd !== undefined) return yield* Result.fail(`${shownText(odd)} is not a field of a route.`);
    const { name, proxy, cookies, hosts, order } = yield* Result.mapError(
      readFields(RouteFields, body, { name: "a route", path: "" }),
      ({ message }) => message
    );
    const problem = hosts === undefined ? null : hostsProblem(hosts);
    if (problem !== null) return yield* Result.fail(problem);
    if (cookies?.trim() === "") return yield* Result.fail("`cookies` must be the path of a cookie file.");
    return {
      name,
      proxy:
        proxy === undefined
          ? null
          : yield* Result.mapError(readProxyAddress(proxy), (why) => `\`proxy\` ${why}.`),
      cookies: cookies ?? null,
      hosts: hosts ?? null,
      order
    };
  });

const nameProblem = (name: unknown, known: ReadonlySet<string>): string | null => {
  if (typeof name !== "string" || !ROUTE_NAME.test(name)) {
    return "must have a `name` of 1 to 40 of a-z, 0-9, ., _ and -.";
  }
  if (name === DEFAULT_ROUTE) return `is named "${DEFAULT_ROUTE}", which is reserved: choose another name.`;
  return known.has(name) ? `is named "${name}" like an earlier one: names must differ.` : null;
};

/**
 * The routes of a file `{"routes": [{"name", "order", "proxy", "cookies", "hosts"}]}`. Fails with a sentence
 * that names the route and the field, without any password.
 */
export const readRoutes = (json: unknown): Result.Result<ReadonlyArray<SourceRoute>, string> => {
  if (!isJsonObject(json) || !Array.isArray(json["routes"])) {
    return Result.fail('Routes must be a JSON object such as {"routes": [{"name": "office", "order": 1}]}.');
  }
  const unknown = Object.keys(json).find((key) => key !== "routes");
  if (unknown !== undefined) {
    return Result.fail(`${shownText(unknown, "`")} is not a field of the file: only \`routes\` is.`);
  }
  const bodies: ReadonlyArray<unknown> = json["routes"];
  if (bodies.length === 0) return Result.fail("`routes` is empty: name a route, or unset the setting.");
  if (bodies.length > ROUTES_MAX) return Result.fail(`\`routes\` has more than ${ROUTES_MAX} entries.`);
  const routes = new Map<string, SourceRoute>();
  for (const [index, body] of bodies.entries()) {
    if (!isJsonObject(body)) return Result.fail(`Route ${index + 1} must be a JSON object.`);
    const problem = nameProblem(body["name"], new Set(routes.keys()));
    if (problem !== null) return Result.fail(`Route ${index + 1} ${problem}`);
    const route = readRoute(body);
    if (Result.isFailure(route)) return Result.fail(`Route "${String(body["name"])}": ${route.failure}`);
    routes.set(route.success.name, route.success);
  }
  return Result.succeed([...routes.values()]);
};
