/** Patterns of addresses, such as `/spaces/:space/changes/:number` or `/spaces/:space/*page`, with typed parameters. */

type NamesIn<Pattern extends string> = Pattern extends `${infer Head}/${infer Rest}`
  ? NamesIn<Head> | NamesIn<Rest>
  : Pattern extends `:${infer Name}`
    ? Name
    : Pattern extends `*${infer Name}`
      ? Name
      : never

/** The parameters of a pattern. The rest of an address, `*name`, can be empty. */
export type Params<Pattern extends string> = string extends Pattern
  ? Readonly<Record<string, string>>
  : { readonly [Name in NamesIn<Pattern>]: string }

const decode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const segmentsOf = (path: string): ReadonlyArray<string> =>
  path.split("/").filter((segment) => segment !== "")

/** Returns the parameters of a path, or `undefined` if the pattern does not match. */
export const matchPath = <const Pattern extends string>(
  pattern: Pattern,
  path: string
): Params<Pattern> | undefined => {
  const expected = segmentsOf(pattern)
  const actual = segmentsOf(path)
  const params: Record<string, string> = {}
  for (const [index, segment] of expected.entries()) {
    if (segment.startsWith("*")) {
      const rest = actual.slice(index).map(decode)
      if (rest.includes(undefined)) return undefined
      params[segment.slice(1)] = rest.join("/")
      return params as Params<Pattern>
    }
    const value = actual[index] === undefined ? undefined : decode(actual[index])
    if (value === undefined) return undefined
    if (segment.startsWith(":")) params[segment.slice(1)] = value
    else if (segment !== value) return undefined
  }
  return actual.length === expected.length ? (params as Params<Pattern>) : undefined
}

/** Returns the path of a pattern with its parameters. */
export const fillPath = <const Pattern extends string>(pattern: Pattern, params: Params<Pattern>): string => {
  const values = params as Readonly<Record<string, string>>
  const segments = segmentsOf(pattern).map((segment) => {
    if (segment.startsWith("*")) {
      return segmentsOf(values[segment.slice(1)] ?? "")
        .map(encodeURIComponent)
        .join("/")
    }
    return segment.startsWith(":") ? encodeURIComponent(values[segment.slice(1)] ?? "") : segment
  })
  return `/${segments.filter((segment) => segment !== "").join("/")}`
}

/** Orders patterns: more literal segments come first, and the rest of an address last. */
export const compareSpecificity = (one: string, other: string): number => {
  const rank = (segment: string | undefined): number =>
    segment === undefined ? 1 : segment.startsWith("*") ? 0 : segment.startsWith(":") ? 2 : 3
  const [first, second] = [segmentsOf(one), segmentsOf(other)]
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    const difference = rank(second[index]) - rank(first[index])
    if (difference !== 0) return difference
  }
  return 0
}
