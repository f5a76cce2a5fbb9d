/** The egress guard of `@winnow/isolation`, by its published name. Tests: publish.test.ts. */
export * from "@winnow/isolation";
