/** The egress guard of `@winnow/isolation`, by its published name. */
export * from "@winnow/isolation";
