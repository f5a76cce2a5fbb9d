/** Codes of errors, such as `ENOENT`: of Node's system calls, of sockets and of OpenSSL. */

/** Empty without one. */
export const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
};

/** For `.catch`: undefined for an error with one of the codes; others are thrown again. */
export const toleratingCodes =
  (...codes: ReadonlyArray<string>) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error))) throw error;
  };
