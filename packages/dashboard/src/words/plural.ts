/** Singular and plural, for languages with only these forms. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);
