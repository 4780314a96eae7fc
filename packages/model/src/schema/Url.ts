/** The schema of URLs in requests. */
import * as Schema from "effect/Schema"

/** Control characters, and characters that change the direction of text, so that a URL is displayed as another one. */
const invisible = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** An absolute `http:` or `https:` URL of at most 2048 characters. */
export const Url = Schema.String.check(
  Schema.makeFilter(
    (value: string) => {
      if (value.length > 2048) return "must be at most 2048 characters"
      if (invisible.test(value))
        return "must not have control characters, or ones that change the direction of text"
      const url = URL.canParse(value) ? new URL(value) : undefined
      return url?.protocol === "http:" || url?.protocol === "https:"
        ? undefined
        : "must be an absolute http or https URL"
    },
    { expected: "an absolute http or https URL", toJsonSchema: () => ({ format: "uri", maxLength: 2048 }) }
  )
)

/** A URL that visitors open: a {@link Url} without user information, which looks like the host. */
export const LinkUrl = Url.check(
  Schema.makeFilter((value: string) => {
    const url = URL.parse(value)
    return (url?.username ?? "") === "" && (url?.password ?? "") === ""
      ? undefined
      : "must not have user information before the host"
  })
)
