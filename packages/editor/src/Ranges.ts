/** The colors of code, as ranges of its text. */

/** The ranges of a code with their classes. */
export type Ranges = ReadonlyArray<readonly [from: number, to: number, className: string]>
