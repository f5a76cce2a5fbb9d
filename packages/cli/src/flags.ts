/** Flags and arguments of commands, each with what it means; and which of them were given. Tests: winnow.test.ts. */
import { readClock } from "@winnow/client/clock";
import * as Argument from "effect/cli/Argument";
import * as Flag from "effect/cli/Flag";
import * as Option from "effect/Option";

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional);

export const secretText = (name: string, description: string) =>
  Flag.Redacted(name).pipe(Flag.withDescription(description), Flag.optional);

export const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.optional);

/** In seconds. */
export const time = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.filterMap(
      (written) => Option.fromNullOr(readClock(written)),
      () => "a time such as 1:05 or 1:02:03.5, or seconds"
    ),
    Flag.optional
  );

export const choice = <const Values extends ReadonlyArray<string>>(
  name: string,
  values: Values,
  description: string
) => Flag.Literals(name, values).pipe(Flag.withDescription(description), Flag.optional);

export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false));

export const asJson = toggle("json", "Print JSON instead of text");

/** `--limit` of a list: `count` unless somebody wants more. */
export const limitedTo = (count: number, description: string) =>
  Flag.Int("limit").pipe(
    Flag.withDescription(`${description}, newest first; ${count} by default`),
    Flag.filter(
      (limit) => limit > 0,
      () => "a number above 0"
    ),
    Flag.withDefault(count)
  );

export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description));

type Given<Flags> = {
  readonly [Name in keyof Flags]?: Flags[Name] extends Option.Option<infer Value> ? Value : Flags[Name];
};

/** The values of the flags that were given; toggles only if they are on. */
export const given = <Flags extends object>(flags: Flags): Given<Flags> =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]: [string, unknown]) => {
      const found = Option.isOption(value) ? Option.getOrUndefined(value) : value;
      return found === undefined || found === false ? [] : [[name, found]];
    })
  ) as Given<Flags>;
