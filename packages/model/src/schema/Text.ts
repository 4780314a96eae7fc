/** Schemas of text in requests. Lengths are in Unicode code points. */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaTransformation from "effect/SchemaTransformation"

const codePoints = (text: string): number => {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    // In well-formed text, a low surrogate follows each high one: two units, one code point.
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) count--
  }
  return count
}

/**
 * Creates the schema of text of `min` to `max` code points (0 to unlimited by default). NUL characters and lone
 * surrogates are invalid, because not every store can return them unchanged.
 */
export const text = (bounds: { readonly min?: number; readonly max?: number } = {}) => {
  const { min = 0, max = Number.POSITIVE_INFINITY } = bounds
  const range =
    max === Number.POSITIVE_INFINITY
      ? min === 0
        ? "text"
        : `text of at least ${min} ${min === 1 ? "character" : "characters"}`
      : min === 0
        ? `text of at most ${max} characters`
        : `text of ${min} to ${max} characters`
  return Schema.String.check(
    Schema.makeFilter(
      (value: string) => {
        if (value.includes("\0") || !value.isWellFormed())
          return "must not have NUL characters or lone surrogates"
        // A code point is one unit or two: most values need no counting.
        if (value.length < min || value.length > max * 2) return `must be ${range}`
        if (value.length >= min * 2 && value.length <= max) return undefined
        const length = codePoints(value)
        return length < min || length > max ? `must be ${range}` : undefined
      },
      {
        expected: range,
        toJsonSchema: () => ({
          ...(min === 0 ? {} : { minLength: min }),
          ...(max === Number.POSITIVE_INFINITY ? {} : { maxLength: max })
        }),
        arbitraryConstraint: {
          ...(min === 0 ? {} : { minLength: min }),
          ...(max === Number.POSITIVE_INFINITY ? {} : { maxLength: max })
        }
      }
    )
  )
}

/** Declares bounds in the OpenAPI document only, for text whose bounds are checked after a transformation. */
export const documented = (bounds: {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}) => Schema.makeFilter((_: string) => undefined, { toJsonSchema: () => bounds })

/** Creates the schema of text that is trimmed before its bounds are checked: titles, labels, names. */
export const trimmed = (bounds: { readonly min?: number; readonly max?: number }) =>
  Schema.String.check(
    documented({
      ...(bounds.min === undefined ? {} : { minLength: bounds.min }),
      ...(bounds.max === undefined ? {} : { maxLength: bounds.max })
    })
  ).pipe(Schema.decodeTo(text(bounds), SchemaTransformation.trim()))

/** Normalizes text for comparison: folds case and width, and composes accents (NFKC, lower case). */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase()

/** A timestamp: ISO 8601 in UTC with milliseconds, as in `2026-11-20T22:10:00.000Z`. */
export const Timestamp = Schema.String.annotate({
  identifier: "Timestamp",
  format: "date-time",
  description: "A timestamp: ISO 8601 in UTC with milliseconds."
})

/** Whether text that begins with a date, as in `2026-11-20T22:10:00Z`, begins with one that exists: `2026-02-31` does not. */
export const hasCalendarDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? []
  const date = new Date(`${year}-${month}-01T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return false
  date.setUTCDate(Number(day))
  return day !== "00" && date.getUTCMonth() + 1 === Number(month)
}

const dateTimePattern =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** Whether text in the format of a date and time is one, in UTC within the years 0 to 9999. */
const isDateTime = (text: string): boolean =>
  dateTimePattern.test(text) && hasCalendarDate(text) && /^\d{4}-/.test(new Date(text).toISOString())

/** A timestamp in a request: an ISO 8601 date and time with a time zone, converted to UTC. */
export const IsoDateTime = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/, {
    message: "must be a date and time as in 2026-11-20T22:10:00Z"
  }),
  // The constructor of dates accepts days and hours that do not exist, and returns later ones.
  Schema.makeFilter((value: string) => (isDateTime(value) ? undefined : "must be a valid date and time"))
).pipe(
  Schema.decodeTo(Timestamp, {
    decode: SchemaGetter.transform((value: string) => new Date(value).toISOString()),
    encode: SchemaGetter.passthrough()
  })
)

/** Percent-decodes a part of a URL. Returns it unchanged if the encoding is malformed. */
export const unescaped = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
