/**
 * Which route takes a path, and with which methods: for the Allow header of a 405 (RFC 9110, section 15.5.6)
 * and for what is counted.
 */
import * as HttpApi from "effect/http-api/HttpApi";
import { Api } from "../api/Api.ts";

interface Route {
  readonly method: string;
  /** `/v1/extractions/:id`. */
  readonly template: string;
  readonly path: RegExp;
}

/** Of a protocol of its own, so in no description of the API. */
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
        // As the router has it: between slashes a parameter may be empty, an id that nothing has.
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

/** Upper case; GET brings HEAD; empty when the path is unknown. */
export const allowedMethods = (url: string): ReadonlyArray<string> => {
  const path = url.split(/[?#]/u, 1)[0] ?? "";
  const methods = routes.filter((route) => route.path.test(path)).map((route) => route.method);
  return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
};
