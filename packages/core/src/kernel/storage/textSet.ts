/** Sets of texts in one column, such that a store finds the rows that have one of them: a line for each. */

/** The set as text. */
export const linesOf = (values: Iterable<string>): string =>
  `\n${Array.from(values, (value) => `${JSON.stringify(value)}\n`).join("")}`

/** What the text of every set with this value has in it, and of no other. */
export const lineOf = (value: string): string => `\n${JSON.stringify(value)}\n`
