/** The invalid fields of a request, as a person reads them. */
import type { ApiError } from "@lectern/client/fetch"

type InvalidField = ApiError["details"][number]

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the name of a field in words: `changes.0.defaultLevel` is “Default level”. */
const fieldName = (path: string): string => {
  const name = path.split(".").findLast((segment) => !/^\d*$/.test(segment)) ?? ""
  return capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim())
}

/** Returns a problem as a sentence that names its field. */
const sentenceOf = ({ path, message }: InvalidField): string => {
  const name = fieldName(path)
  return `${name === "" ? capitalize(message) : `${name} ${message}`}.`
}

/** Returns the message of an error, with the fields named in words rather than by their paths. */
export const messageOfApiError = ({ details, message }: ApiError): string =>
  details.length === 0 ? message : [...new Set(details.map(sentenceOf))].slice(0, 3).join(" ")

/** Whether a problem belongs to a field, or to a field inside of it. */
const isOf = (field: string) => (detail: InvalidField) =>
  detail.path === field || detail.path.startsWith(`${field}.`)

/**
 * Returns the error of a field. `valueOf` returns the value at the position of an item, for fields with several values, whose error names the
 * invalid ones.
 */
export type ErrorOf = (path: string, valueOf?: (position: number) => string | undefined) => string | undefined

/** Creates the function that finds the errors of fields, and whether all errors belong to fields that have requested them. */
export const errorsByField = (error: ApiError | undefined) => {
  const details = error?.details ?? []
  const found = new Set<InvalidField>()
  const errorOf: ErrorOf = (path, valueOf) => {
    const own = details.filter(isOf(path))
    for (const detail of own) found.add(detail)
    if (own[0] === undefined) return undefined
    const values = own.flatMap((detail) => {
      const position = Number(detail.path.slice(path.length + 1).split(".")[0])
      return valueOf?.(position) ?? []
    })
    const named = values.map((value) => `“${value}”`).join(", ")
    return named === "" ? capitalize(own[0].message) : `${named}: ${own[0].message}`
  }
  return { errorOf, isDisplayed: () => details.length > 0 && details.every((detail) => found.has(detail)) }
}
