/**
 * The routes of an API by path and method: for the Allow header of a 405 (RFC 9110, section 15.5.6) and for metrics.
 * Tests: errors.test.ts, metrics.test.ts.
 */
import * as HttpApi from "effect/http-api/HttpApi";
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup";

interface Route {
  readonly method: string;
  /** `/v1/extractions/:id`. */
  readonly template: string;
  readonly path: RegExp;
}

/** `/batches/quote` is no id of a batch: of the routes that match, those with the most fixed segments count. */
const fixedSegments = ({ template }: Route): number =>
  template.split("/").filter((segment) => !/^[:*]/u.test(segment)).length;

/** Has its own protocol, so it is not in the API description. */
const MCP: Route = { method: "POST", template: "/mcp", path: /^\/mcp\/?$/u };

export interface RouteTable {
  /** The template of a path; undefined when it is unknown. */
  readonly templateOf: (url: string) => string | undefined;
  /** Upper case; GET implies HEAD; empty for unknown paths. */
  readonly allowedMethods: (url: string) => ReadonlyArray<string>;
}

const routesOf = <Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<string, Groups>
): ReadonlyArray<Route> => {
  const found: Array<Route> = [MCP];
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      // "/v1/extractions/:id/files.zip" is /v1/extractions/[^/]*/files\.zip.
      const pattern = endpoint.path
        .replaceAll(".", "\\.")
        .replace("*", ".*")
        // As in the router, a parameter may be empty, which matches no id.
        .replace(/:\w+(?=\/)/gu, "[^/]*")
        .replace(/:\w+/gu, "[^/]+");
      const { method, path: template } = endpoint;
      found.push({ method, template, path: new RegExp(`^${pattern}/?$`, "u") });
    }
  });
  return found;
};

export const routeTable = <Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<string, Groups>
): RouteTable => {
  const routes = routesOf(api).toSorted((left, right) => fixedSegments(right) - fixedSegments(left));
  const pathOf = (url: string): string => url.split(/[?#]/u, 1)[0] ?? "";
  return {
    templateOf: (url) => {
      const path = pathOf(url);
      return routes.find((route) => route.path.test(path))?.template;
    },
    allowedMethods: (url) => {
      const path = pathOf(url);
      const matching = routes.filter((route) => route.path.test(path));
      const methods = matching
        .filter((route, _, [first = route]) => fixedSegments(route) === fixedSegments(first))
        .map(({ method }) => method);
      return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
    }
  };
};
