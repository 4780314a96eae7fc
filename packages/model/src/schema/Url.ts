/** The schema of URLs in requests. */
import * as Schema from "effect/Schema"

/** An absolute `http:` or `https:` URL of at most 2048 characters. */
export const Url = Schema.String.check(
  Schema.makeFilter(
    (value: string) => {
      if (value.length > 2048) return "must be at most 2048 characters"
      const url = URL.canParse(value) ? new URL(value) : undefined
      return url?.protocol === "http:" || url?.protocol === "https:"
        ? undefined
        : "must be an absolute http or https URL"
    },
    { expected: "an absolute http or https URL", toJsonSchema: () => ({ format: "uri", maxLength: 2048 }) }
  )
)
