/** Compares strings by their UTF-16 code units, like keys in the store, independent of the locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
