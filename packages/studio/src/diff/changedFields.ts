/** The changes of fields of pages and files, in words. */
import type { SemanticChange } from "@lectern/client/fetch"
import { characterOf } from "../components/Emoji.tsx"
import { useFormats } from "../strings/formats.ts"
import { useStrings } from "../strings/strings.ts"
import { diffStrings } from "./strings.ts"

const fieldNames = {
  title: "fieldTitle",
  description: "fieldDescription",
  slug: "fieldSlug",
  cover: "fieldCover",
  emoji: "fieldEmoji",
  icon: "fieldIcon",
  layout: "fieldLayout",
  target: "fieldTarget",
  metaLinks: "fieldMetaLinks",
  hidden: "fieldHidden",
  condition: "fieldCondition",
  noIndex: "fieldNoIndex",
  noRobotsIndex: "fieldNoRobotsIndex",
  name: "fieldName",
  size: "fieldSize",
  contentType: "fieldContentType",
  dimensions: "fieldDimensions"
} as const

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

/** Returns the entries of a value that differ from the entries of another one. */
const differingEntries = (value: Fields, other: unknown): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(value).filter(
    ([name, entry]) => !isFields(other) || JSON.stringify(other[name]) !== JSON.stringify(entry)
  )

/** Returns the URLs and the ids of the pages that meta links lead to. */
const linksOf = ({ canonical, alternates }: Fields): ReadonlyArray<string> =>
  [canonical, ...(Array.isArray(alternates) ? alternates : [])]
    .filter(isFields)
    .map(({ url, page }) => String(url ?? page))

/** The name and the values of a field in words. */
export interface FieldText {
  readonly name: (field: string) => string
  /** Returns a value in words; of an object, what differs from the other value. */
  readonly value: (field: string, value: unknown, other: unknown) => string
}

const isNamed = (field: string): field is keyof typeof fieldNames => Object.hasOwn(fieldNames, field)

/** Returns the names and the values of fields in words. */
export const useFieldText = (): FieldText => {
  const t = useStrings(diffStrings)
  const { bytes } = useFormats()
  const textOf = (field: string, value: unknown, other: unknown): string => {
    if (value === undefined || value === null || value === "") {
      return typeof other === "boolean" ? t("no") : t("empty")
    }
    if (typeof value === "boolean") return t(value ? "yes" : "no")
    if (field === "emoji") return characterOf(String(value))
    if (field === "size" && typeof value === "number") return bytes(value)
    if (!isFields(value)) return String(value)
    if (field === "dimensions") return `${String(value.width)} × ${String(value.height)}`
    if (field === "cover") {
      const ref = value.ref
      return isFields(ref) && typeof ref.url === "string" ? ref.url : t("image")
    }
    if (field === "target") return typeof value.url === "string" ? value.url : String(value.kind)
    if (field === "metaLinks") return linksOf(value).join(", ")
    return differingEntries(value, other)
      .map(([name, entry]) => `${name}: ${String(entry)}`)
      .join(", ")
  }
  return { name: (field) => (isNamed(field) ? t(fieldNames[field]) : field), value: textOf }
}

/** Returns the changed fields of a change in words. The body is not among them. */
export const useChangedFields = (): ((change: SemanticChange) => ReadonlyArray<string>) => {
  const t = useStrings(diffStrings)
  const { name, value } = useFieldText()
  return (change) => {
    if (!("attributes" in change)) return []
    return Object.entries(change.attributes).flatMap(([field, values]) => {
      if (!isNamed(field)) return []
      const { before, after } = values as { readonly before?: unknown; readonly after?: unknown }
      return [
        t("fieldChanged", {
          field: name(field),
          before: value(field, before, after),
          after: value(field, after, before)
        })
      ]
    })
  }
}
