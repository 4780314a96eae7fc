/** Resolves references to link targets within the content that contains them. */

import type { FindAnchor, Reference } from "@lectern/markdown/outline"
import type { ContentRef as PageRef } from "@lectern/model/content"
import { type PagePaths, parsePathLink, resolvePathLink } from "./pagePaths.ts"

/** A link target, by its id or URL. */
export type Target =
  | { readonly kind: "page"; readonly page: string; readonly anchor: string }
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "reusable-content"; readonly reusableContent: string }
  /** A target outside of the content. `ExternalTargets` determines whether it exists and the caller can see it. */
  | {
      readonly kind: "space" | "user" | "collection" | "openapi"
      readonly id: string
      readonly isApp: boolean
    }
  | { readonly kind: "url"; readonly url: string; readonly isApp: boolean }
  /** A target that does not exist, with the URL as written. */
  | { readonly kind: "broken"; readonly url: string }

/** Returns a key that identifies a target. */
export const keyOfTarget = (target: Target): string => {
  switch (target.kind) {
    case "page":
      return `page:${target.page}#${target.anchor}`
    case "file":
      return `file:${target.file}`
    case "reusable-content":
      return `reusable-content:${target.reusableContent}`
    case "url":
    case "broken":
      return `${target.kind}:${target.url}`
    default:
      return `${target.kind}:${target.id}`
  }
}

/** Returns a URL of a target, for targets that cannot be presented otherwise. */
export const urlOfTarget = (target: Target): string => {
  switch (target.kind) {
    case "page":
      return `/pages/${target.page}${target.anchor === "" ? "" : `#${target.anchor}`}`
    case "file":
      return `/files/${target.file}`
    case "reusable-content":
      return `/reusable-contents/${target.reusableContent}`
    case "url":
    case "broken":
      return target.url
    case "openapi":
      return `/openapi/${target.id}`
    default:
      return `/${target.kind}s/${target.id}`
  }
}

/** The content that references are resolved in. */
export interface LinkContext extends PagePaths {
  /** The public URL of the application. */
  readonly base: string
  /** Returns the function that finds the anchors of a page; undefined if the page does not exist. */
  readonly anchorsOf: (page: string) => FindAnchor | undefined
  /** The ids of all files. */
  readonly files: ReadonlySet<string>
  /** The ids of files by name. */
  readonly fileByName: ReadonlyMap<string, string>
  /** Returns the id of the reusable content with an id, or at the path of its file. */
  readonly reusableContentOf: (reference: string) => string | undefined
}

const broken = (url: string): Target => ({ kind: "broken", url })

const pageTarget = (context: LinkContext, page: string, anchor: string, written: string): Target => {
  const findAnchor = context.anchorsOf(page)
  if (findAnchor === undefined) return broken(written)
  if (anchor === "") return { kind: "page", page, anchor }
  const existing = findAnchor(anchor)
  return existing === undefined ? broken(written) : { kind: "page", page, anchor: existing }
}

const fileTarget = (context: LinkContext, file: string, written: string): Target =>
  context.files.has(file) ? { kind: "file", file } : broken(written)

/** Resolves a URL of this application: to a space, or to the URL itself. Returns undefined for other URLs. */
const appTarget = (base: string, url: string): Target | undefined => {
  if (url !== base && !url.startsWith(`${base}/`)) return undefined
  const [, space] = /^\/s\/([A-Za-z0-9._~-]{1,64})(?:[/?#]|$)/.exec(url.slice(base.length)) ?? []
  return space === undefined ? { kind: "url", url, isApp: true } : { kind: "space", id: space, isApp: true }
}

/** Matches a target outside of the content, by kind and id. */
const externalPattern = /^\/(spaces|users|collections|openapi)\/([A-Za-z0-9._~-]{1,100})\/?$/

const kindOfSegment = {
  spaces: "space",
  users: "user",
  collections: "collection",
  openapi: "openapi"
} as const

/**
 * Resolves a relative URL to a page or a file. It is relative to the parent of the page, as for files; or else to the
 * page itself, as if the page were the README of a folder.
 */
const relativeTarget = (context: LinkContext, page: string, url: string): Target => {
  const link = parsePathLink(url)
  if (link === undefined) return pageTarget(context, page, /#([\s\S]*)$/.exec(url)?.[1] ?? "", url)
  const found = resolvePathLink(context, context.pathOf.get(page) ?? "", link)
  if (found !== undefined) return pageTarget(context, found.page, link.anchor, url)
  const file = context.fileByName.get(link.segments.at(-1)!)
  return file === undefined ? broken(url) : { kind: "file", file }
}

const urlTarget = (context: LinkContext, page: string, url: string): Target => {
  const app = appTarget(context.base, url)
  if (app !== undefined) return app
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith("//")) return { kind: "url", url, isApp: false }
  const [, kind, id] = externalPattern.exec(url) ?? []
  if (kind !== undefined)
    return { kind: kindOfSegment[kind as keyof typeof kindOfSegment], id: id!, isApp: false }
  return url === "" ? broken(url) : relativeTarget(context, page, url)
}

const spaceTarget = (id: string): Target => ({ kind: "space", id, isApp: false })

/** Resolves a reference that the page `page` contains. */
export const resolveTarget = (
  context: LinkContext,
  page: string,
  ref: Reference["ref"] | PageRef
): Target => {
  switch (ref.kind) {
    case "page":
      return typeof ref.space === "string"
        ? spaceTarget(ref.space)
        : pageTarget(context, ref.page, "", `/pages/${ref.page}`)
    case "anchor":
      return typeof ref.space === "string"
        ? spaceTarget(ref.space)
        : pageTarget(
            context,
            ref.page ?? page,
            ref.anchor,
            ref.page === undefined ? `#${ref.anchor}` : `/pages/${ref.page}#${ref.anchor}`
          )
    case "file":
      return fileTarget(context, ref.file, `/files/${ref.file}`)
    case "reusable-content": {
      if (typeof ref.space === "string") return spaceTarget(ref.space)
      const written = ref.reusableContent
      const reusableContent = context.reusableContentOf(written)
      if (reusableContent !== undefined) return { kind: "reusable-content", reusableContent }
      return broken(written.includes("/") ? written : `/reusable-contents/${written}`)
    }
    case "url":
      return urlTarget(context, page, ref.url)
    case "user":
      return { kind: "user", id: ref.user, isApp: false }
    case "collection":
      return { kind: "collection", id: ref.collection, isApp: false }
    case "space":
      return spaceTarget(ref.space)
    case "openapi":
      return { kind: "openapi", id: ref.spec, isApp: false }
  }
}
