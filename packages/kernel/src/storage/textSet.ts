/**
 * Sets of strings in one text column, one JSON string per line, so that `Where.contains` matches the rows whose set has
 * a given member.
 */

/** Encodes a set as text. */
export const encodeSet = (values: Iterable<string>): string =>
  `\n${Array.from(values, (value) => `${JSON.stringify(value)}\n`).join("")}`

/** Decodes a set. */
export const decodeSet = (lines: string): ReadonlyArray<string> =>
  lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as string]))

/** Encodes a member as the text that `Where.contains` searches for. */
export const encodeMember = (value: string): string => `\n${JSON.stringify(value)}\n`
