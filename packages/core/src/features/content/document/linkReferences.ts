/** Converts the URLs of links and images to references and back, without loss. */
import type { ContentRef, ImageRef } from "../../../model/content/document/Inline.ts"
import { quotedTagOf } from "./tags.ts"

const pagePattern = /^\/pages\/([A-Za-z0-9._~-]{1,64})(?:#([\s\S]+))?$/
const filePattern = /^\/files\/([A-Za-z0-9._~-]{1,64})$/

/** Converts the URL of a link to a reference: to a page, an anchor, a file or any other URL. */
export const refOfLink = (url: string): ContentRef => {
  if (url.length > 1 && url.startsWith("#")) return { kind: "anchor", anchor: url.slice(1) }
  const found = pagePattern.exec(url)
  if (found === null) return refOfImage(url)
  const [, id, anchor] = found
  return anchor === undefined ? { kind: "page", page: id! } : { kind: "anchor", page: id!, anchor }
}

/** Converts the URL of an image to a reference: to a file or any other URL. */
export const refOfImage = (url: string): ImageRef => {
  const found = filePattern.exec(url)
  return found === null ? { kind: "url", url } : { kind: "file", file: found[1]! }
}

/** Converts a reference to its URL. */
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

const inclusionPattern = /^\/reusable-contents\/([A-Za-z0-9._~-]{1,64})$/

/**
 * Returns the id of the reusable content that `{% include "…" %}` includes: an id of this space, or a path with a slash.
 * Returns undefined for other names.
 */
export const includedContent = (path: string): string | undefined =>
  inclusionPattern.exec(path)?.[1] ?? (path.includes("/") ? path : undefined)

/** Returns the Markdown that includes a reusable content. */
export const inclusionOf = (id: string): string =>
  quotedTagOf("include", id.includes("/") ? id : `/reusable-contents/${id}`)

/** Normalizes a label. Labels with equal keys refer to the same definition, as CommonMark specifies. */
export const labelKey = (label: string): string =>
  label
    .replace(/[\t\n\r ]+/g, " ")
    .trim()
    .toLowerCase()
    .toUpperCase()
