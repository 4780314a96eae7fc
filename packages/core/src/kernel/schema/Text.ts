/** Text from outside, with its bounds. Lengths count Unicode code points. */
import { Schema, SchemaGetter, SchemaTransformation } from "effect"

const codePoints = (text: string): number => {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    // A high surrogate in well-formed text has its low one behind it: two units, one code point.
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) count--
  }
  return count
}

/**
 * Text of `min` to `max` code points (0 to any number by default). Text that no store could give back as it came
 * is refused: NUL characters, and surrogates that stand alone.
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
        // Every code point is one unit or two, which settles most cases without counting.
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

/** What the OpenAPI document says of a text that is only checked once it has been put into its form. It refuses nothing. */
export const documented = (bounds: {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}) => Schema.makeFilter((_: string) => undefined, { toJsonSchema: () => bounds })

/** Text with the white space at its ends taken off before its bounds are checked: titles, labels, names. */
export const trimmed = (bounds: { readonly min?: number; readonly max?: number }) =>
  Schema.String.check(
    documented({
      ...(bounds.min === undefined ? {} : { minLength: bounds.min }),
      ...(bounds.max === undefined ? {} : { maxLength: bounds.max })
    })
  ).pipe(Schema.decodeTo(text(bounds), SchemaTransformation.trim()))

/** Text as searches compare it: without differences of case, of width, or of how its accents are written. */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase()

/** A moment: ISO 8601, in UTC, with milliseconds, as in `2026-11-20T22:10:00.000Z`. */
export const Timestamp = Schema.String.annotate({
  identifier: "Timestamp",
  format: "date-time",
  description: "A moment in time: ISO 8601, UTC, with milliseconds."
})

/** A moment from outside: any ISO 8601 date and time with its zone, taken to UTC. */
export const Moment = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/, {
    message: "must be a date and time as in 2026-11-20T22:10:00Z"
  }),
  Schema.makeFilter((value: string) =>
    Number.isNaN(Date.parse(value)) ? "must be a moment that there is" : undefined
  )
).pipe(
  Schema.decodeTo(Timestamp, {
    decode: SchemaGetter.transform((value: string) => new Date(value).toISOString()),
    encode: SchemaGetter.passthrough()
  })
)

/** A part of an address without its escapes; as it is where these are wrong. */
export const unescaped = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
