/** How the handlers of a route are made. */
import * as HttpApi from "effect/http-api/HttpApi";
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup";

/** The API as far as the handlers of one group know it: all groups are in routes/Api. */
export const apiOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApi.make("winnow").add(group);
