/** One or many, in languages that know no more. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);
