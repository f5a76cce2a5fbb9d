/** Kinds of pages whose schema has lists and objects: a recipe, a job, a menu. */
import { type Kind } from "./pageKinds.ts";
/** Lists of texts. */
export declare const RECIPES: Kind<{
  dish: string;
  serves: number;
  minutes: number;
  main: string;
  second: string;
  heat: number;
}>;
/** Objects within objects. */
export declare const JOBS: Kind<{
  role: string;
  firm: string;
  city: string;
  low: number;
  high: number;
  hours: number;
  until: string;
  said: string;
}>;
/** A list of objects. */
export declare const PLACES: Kind<{
  name: string;
  street: string;
  phone: string;
  dishes: ReadonlyArray<readonly [string, number]>;
}>;
