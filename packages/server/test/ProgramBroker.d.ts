/** Path of the bundled program's launcher; null if no broker runs. */
export declare const sharedProgram: () => Promise<string | null>;
/** A `globalSetup` of vitest. */
export declare const setup: () => Promise<() => Promise<void>>;
