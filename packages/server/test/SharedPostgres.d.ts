import * as Effect from "effect/Effect";
/**
 * URL of a new, empty database. As in the embedded server, its role owns it and is not a superuser; the password is
 * a secret that the program must not reveal.
 */
export declare const newDatabase: Effect.Effect<string, never, import("effect/Scope").Scope>;
