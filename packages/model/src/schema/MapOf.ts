/** Schemas of maps whose keys clients choose. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fieldsOf } from "./schemaIssues.ts"
import { text } from "./Text.ts"

/** The bounds of a map and of its keys. */
interface MapBounds {
  /** The minimum length of a key, in code points; 0 by default. */
  readonly min?: number
  /** The maximum length of a key, in code points. */
  readonly max: number
  /** The maximum number of entries. */
  readonly maxEntries: number
  /** The plural noun for the entries in error messages, as in `claims`. */
  readonly noun: string
  /** Reserved keys, which are invalid. */
  readonly reserved?: ReadonlyArray<string>
}

/**
 * Creates the schema of a map with bounded keys. An invalid key is an error whose path ends with the key:
 * `Schema.Record` with a key schema would drop it silently.
 */
export const mapOf = <S extends Schema.Top>(
  value: S,
  { min = 0, max, maxEntries, noun, reserved = [] }: MapBounds
): Schema.$Record<Schema.String, S> => {
  const parse = Schema.decodeUnknownResult(text({ min, max }), { errors: "all" })
  const problemOf = (name: string): string | undefined => {
    if (reserved.includes(name)) return "is a reserved name: use a different one"
    const parsed = parse(name)
    return Result.isFailure(parsed) ? fieldsOf(parsed.failure.issue)[0]?.message : undefined
  }
  return Schema.Record(Schema.String, value).check(
    Schema.isMaxProperties(maxEntries, { message: `must be at most ${maxEntries} ${noun}` }),
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
