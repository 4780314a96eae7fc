/** Whether what content keeps is shaped as the records of pages, files and reusable contents are. */

import type { PageRecord } from "../../../model/content/ContentRecord.ts"
import { hasSlug } from "../edit/pagePlacement.ts"
import type { Json } from "../MerkleNode.ts"

const types: ReadonlySet<unknown> = new Set(["document", "group", "link", "computed"])

type Fields = { readonly [field: string]: unknown }

const isText = (value: unknown): value is string => typeof value === "string"
const isHash = (value: unknown): boolean => isText(value) && value.length === 43

/** The field of a page that is not as it should be. */
const flawOfPage = (page: Fields): string | undefined => {
  if (!types.has(page.type)) return "type"
  for (const field of ["title", "slug", "parent", "position", "createdAt", "updatedAt"]) {
    if (!isText(page[field])) return field
  }
  if (page.title === "") return "title"
  if (page.position === "") return "position"
  if ((page.slug === "") === hasSlug(page as unknown as PageRecord)) return "slug"
  if (page.body !== undefined && !isHash(page.body)) return "body"
  if (page.type === "link" && page.target === undefined) return "target"
  return page.type === "computed" && page.computed === undefined ? "computed" : undefined
}

const flawOfFile = (file: Fields): string | undefined => {
  if (!isText(file.name) || file.name === "") return "name"
  if (!isText(file.contentType)) return "contentType"
  if (!Number.isSafeInteger(file.size) || (file.size as number) < 0) return "size"
  return isHash(file.hash) ? undefined : "hash"
}

const flawOfReusable = (content: Fields): string | undefined =>
  !isText(content.title) ? "title" : content.body !== undefined && !isHash(content.body) ? "body" : undefined

/** What is wrong with an entry; undefined for one that is as it should be. Entries of the indexes have no records. */
export const flawOfEntry = (key: string, value: Json): string | undefined => {
  const kind = key.slice(0, 2)
  if (kind === "c/") return value === null ? undefined : `has a value at ${key}`
  if (kind === "s/") return isText(value) ? undefined : `has no page at ${key}`
  const flawOf =
    kind === "p/" ? flawOfPage : kind === "f/" ? flawOfFile : kind === "r/" ? flawOfReusable : undefined
  if (flawOf === undefined) return `has an entry of no kind, ${key}`
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `has no record at ${key}`
  const flaw = flawOf(value as Fields)
  return flaw === undefined ? undefined : `has a record with a wrong ${flaw} at ${key}`
}
