/** What links and images refer to, as an address and as a reference. Both ways come back to the same. */
import type { ContentRef, ImageRef } from "../../../model/content/document/Inline.ts"

const page = /^\/pages\/([A-Za-z0-9._~-]{1,64})(?:#([\s\S]+))?$/
const file = /^\/files\/([A-Za-z0-9._~-]{1,64})$/

/** The reference of a link: to a page, a place in a page, a file, or whatever has an address. */
export const refOfLink = (url: string): ContentRef => {
  if (url.length > 1 && url.startsWith("#")) return { kind: "anchor", anchor: url.slice(1) }
  const found = page.exec(url)
  if (found === null) return refOfImage(url)
  const [, id, anchor] = found
  return anchor === undefined ? { kind: "page", page: id! } : { kind: "anchor", page: id!, anchor }
}

/** The reference of an image: a file, or an address. */
export const refOfImage = (url: string): ImageRef => {
  const found = file.exec(url)
  return found === null ? { kind: "url", url } : { kind: "file", file: found[1]! }
}

/** The address of a reference. */
export const urlOf = (ref: ContentRef): string => {
  switch (ref.kind) {
    case "page":
      return `/pages/${ref.page}`
    case "file":
      return `/files/${ref.file}`
    case "anchor":
      return ref.page === undefined ? `#${ref.anchor}` : `/pages/${ref.page}#${ref.anchor}`
    case "url":
      return ref.url
  }
}

const include = /^\{% include "\/reusable-contents\/([A-Za-z0-9._~-]{1,64})" %\}$/

/** The reusable content that the text of a paragraph includes, if that is all it does. */
export const includedBy = (source: string): string | undefined => include.exec(source)?.[1]

/** The text of a paragraph that includes a reusable content. */
export const inclusionOf = (id: string): string => `{% include "/reusable-contents/${id}" %}`

/** What two labels have in common that name the same definition. */
export const labelKey = (label: string): string =>
  label
    .replace(/[\t\n\r ]+/g, " ")
    .trim()
    .toLowerCase()
    .toUpperCase()
