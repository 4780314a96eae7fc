/** Maps from outside: values by names that whoever sends them chooses. */
import { Result, Schema } from "effect"
import { fieldsOf } from "./schemaIssues.ts"
import { text } from "./Text.ts"

/** The bounds of a map. */
interface MapBounds {
  /** The fewest characters of a name; none by default. */
  readonly min?: number
  /** The most characters of a name. */
  readonly max: number
  /** The most names. */
  readonly most: number
  /** What there are at most that many of, as in `claims`. */
  readonly called: string
  /** Names that may not be. */
  readonly not?: ReadonlyArray<string>
}

/**
 * A map from names within bounds. A name that is not within them is refused, with the name as the last part of its path:
 * a record whose keys have a schema would leave it out, and nobody would know.
 */
export const mapOf = <S extends Schema.Top>(
  value: S,
  { min = 0, max, most, called, not = [] }: MapBounds
): Schema.$Record<Schema.String, S> => {
  const parse = Schema.decodeUnknownResult(text({ min, max }), { errors: "all" })
  const problemOf = (name: string): string | undefined => {
    if (not.includes(name)) return "must be another name"
    const parsed = parse(name)
    return Result.isFailure(parsed) ? fieldsOf(parsed.failure.issue)[0]?.message : undefined
  }
  return Schema.Record(Schema.String, value).check(
    Schema.isMaxProperties(most, { message: `must be at most ${most} ${called}` }),
    Schema.makeFilter(
      (map: object) => {
        const issues = Object.keys(map).flatMap((name) => {
          const issue = problemOf(name)
          return issue === undefined ? [] : [{ path: [name], issue }]
        })
        return issues.length === 0 ? undefined : issues
      },
      {
        toJsonSchema: () => ({
          propertyNames: { type: "string", ...(min === 0 ? {} : { minLength: min }), maxLength: max }
        })
      }
    )
  )
}
