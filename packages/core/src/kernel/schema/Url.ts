/** Addresses from outside. */
import { Schema } from "effect"

/** The address of a page or an image on the web: absolute, http or https, at most 2048 characters. */
export const Url = Schema.String.check(
  Schema.makeFilter(
    (value: string) => {
      if (value.length > 2048) return "must be at most 2048 characters"
      const url = URL.canParse(value) ? new URL(value) : undefined
      return url?.protocol === "http:" || url?.protocol === "https:"
        ? undefined
        : "must be an http or https address"
    },
    { expected: "an http or https address", toJsonSchema: () => ({ format: "uri", maxLength: 2048 }) }
  )
)
