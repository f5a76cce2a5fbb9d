/**
 * The route of a path and its methods: for the Allow header of a 405 (RFC 9110, section 15.5.6) and for metrics.
 */
import * as HttpApi from "effect/http-api/HttpApi";
import { Api } from "../routes/Api.ts";

interface Route {
  readonly method: string;
  /** `/v1/extractions/:id`. */
  readonly template: string;
  readonly path: RegExp;
}

/** Has its own protocol, so it is not in the API description. */
const MCP: ReadonlyArray<Route> = ["POST", "DELETE"].map((method) => ({
  method,
  template: "/mcp",
  path: /^\/mcp\/?$/u
}));

const routes: ReadonlyArray<Route> = (() => {
  const found: Array<Route> = [...MCP];
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
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
})();

/** The template of a path; undefined when it is unknown. */
export const routeOf = (url: string): string | undefined => {
  const path = url.split(/[?#]/u, 1)[0] ?? "";
  return routes.find((route) => route.path.test(path))?.template;
};

/** Upper case; GET implies HEAD; empty for unknown paths. */
export const allowedMethods = (url: string): ReadonlyArray<string> => {
  const path = url.split(/[?#]/u, 1)[0] ?? "";
  const methods = routes.filter((route) => route.path.test(path)).map((route) => route.method);
  return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
};
