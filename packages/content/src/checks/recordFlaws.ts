/** Validates stored records of pages, files and reusable contents. */

import type { PageRecord } from "@lectern/kernel/tables"
import { hasSlug } from "../edit/pagePlacement.ts"
import type { Json } from "../MerkleNode.ts"

const pageTypes: ReadonlySet<unknown> = new Set(["document", "group", "link", "computed"])

type Fields = { readonly [field: string]: unknown }

const isText = (value: unknown): value is string => typeof value === "string"
const isHash = (value: unknown): boolean => isText(value) && value.length === 43

/** Returns the name of an invalid field of a page, or `undefined`. */
const invalidPageField = (page: Fields): string | undefined => {
  if (!pageTypes.has(page.type)) return "type"
  for (const field of ["title", "slug", "parent", "position", "createdAt", "updatedAt"]) {
    if (!isText(page[field])) return field
  }
  if (page.title === "") return "title"
  if (page.position === "") return "position"
  if ((page.slug === "") === hasSlug(page as unknown as PageRecord)) return "slug"
  for (const field of ["body", "source"]) {
    if (page[field] !== undefined && !isHash(page[field])) return field
  }
  if (page.type === "link" && page.target === undefined) return "target"
  return page.type === "computed" && page.computed === undefined ? "computed" : undefined
}

const invalidFileField = (file: Fields): string | undefined => {
  if (!isText(file.name) || file.name === "") return "name"
  if (!isText(file.contentType)) return "contentType"
  if (!Number.isSafeInteger(file.size) || (file.size as number) < 0) return "size"
  return isHash(file.hash) ? undefined : "hash"
}

const invalidReusableContentField = (content: Fields): string | undefined =>
  !isText(content.title)
    ? "title"
    : ["body", "source"].find((field) => content[field] !== undefined && !isHash(content[field]))

const invalidSourceField = ({ hash }: Fields): string | undefined => (isHash(hash) ? undefined : "hash")

/** Returns the flaw of an entry, as a predicate about the revision; undefined if the entry is valid. */
export const findEntryFlaw = (key: string, value: Json): string | undefined => {
  const kind = key.slice(0, 2)
  if (kind === "c/") return value === null ? undefined : `has a value at ${key}, where null is expected`
  if (kind === "s/") return isText(value) ? undefined : `has no page id at ${key}`
  const invalidField =
    kind === "p/"
      ? invalidPageField
      : kind === "f/"
        ? invalidFileField
        : kind === "r/"
          ? invalidReusableContentField
          : kind === "g/"
            ? invalidSourceField
            : undefined
  if (invalidField === undefined) return `has an entry of an unknown kind at ${key}`
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `has no record at ${key}`
  const field = invalidField(value as Fields)
  return field === undefined ? undefined : `has a record with an invalid \`${field}\` at ${key}`
}
