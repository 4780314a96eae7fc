/** Converts the URLs of links and images to references and back, without loss. */
import type { ContentRef, ImageRef } from "@lectern/model/document"
import { quotedTagOf } from "./tags.ts"

const id = "[A-Za-z0-9._~-]{1,64}"
const pagePattern = new RegExp(`^(?:/spaces/(${id}))?/pages/(${id})(?:#([\\s\\S]+))?$`)
const targetPattern = new RegExp(`^/(files|users|collections|spaces)/(${id})$`)

/** Converts the URL of a link to a reference: to a page, an anchor, a file, a user, a space or any other URL. */
export const refOfLink = (url: string): ContentRef => {
  if (url.length > 1 && url.startsWith("#")) return { kind: "anchor", anchor: url.slice(1) }
  const found = pagePattern.exec(url)
  if (found !== null) {
    const [, space, page, anchor] = found
    const target = { page: page!, ...(space === undefined ? {} : { space }) }
    return anchor === undefined ? { kind: "page", ...target } : { kind: "anchor", ...target, anchor }
  }
  const [, kind, target] = targetPattern.exec(url) ?? []
  switch (kind) {
    case "files":
      return { kind: "file", file: target! }
    case "users":
      return { kind: "user", user: target! }
    case "collections":
      return { kind: "collection", collection: target! }
    case "spaces":
      return { kind: "space", space: target! }
    default:
      return { kind: "url", url }
  }
}

/** Converts the URL of an image to a reference: to a file or any other URL. */
export const refOfImage = (url: string): ImageRef => {
  const ref = refOfLink(url)
  return ref.kind === "file" ? ref : { kind: "url", url }
}

/** Converts a reference to its URL. */
export const urlOf = (ref: ContentRef): string => {
  switch (ref.kind) {
    case "page":
      return `${pathOfSpace(ref.space)}/pages/${ref.page}`
    case "file":
      return `/files/${ref.file}`
    case "anchor":
      return ref.page === undefined
        ? `#${ref.anchor}`
        : `${pathOfSpace(ref.space)}/pages/${ref.page}#${ref.anchor}`
    case "user":
      return `/users/${ref.user}`
    case "collection":
      return `/collections/${ref.collection}`
    case "space":
      return `/spaces/${ref.space}`
    case "url":
      return ref.url
  }
}

const pathOfSpace = (space: string | undefined): string => (space === undefined ? "" : `/spaces/${space}`)

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
