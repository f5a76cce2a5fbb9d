/** Kinds of pages whose schema is flat: a product, an event, a report. */
import { type Kind } from "./pageKinds.ts";
/** Scalars, a choice and a value that may be missing. */
export declare const PRODUCTS: Kind<{
  name: string;
  maker: string;
  price: number;
  grams: number;
  colour: string;
  stock: string;
}>;
/** Dates and numbers. */
export declare const EVENTS: Kind<{
  name: string;
  place: string;
  starts: string;
  said: string;
  price: number;
  seats: number;
}>;
/** Prose of its own words beside facts. */
export declare const REPORTS: Kind<{
  town: string;
  people: number;
  author: string;
  day: string;
  said: string;
  cost: number;
  subject: string;
}>;
