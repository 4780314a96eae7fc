/** Resolves the targets of links within a site. */
import type { ContentRef } from "@lectern/core"
import type { LinkRef, ResolvedFile, ResolvedImage, ResolvedLink } from "../document/DocumentContext.ts"
import { iconOfPage } from "../html/icons.ts"
import { anchorUrl, decodePart, externalUrl, relativeUrl, resourceUrl } from "../html/urls.ts"
import { type DocumentPage, type RelativeTarget, resolvePath, type TreePage } from "../source/PageIndex.ts"
import { firstDocument, type LoadedSpace, pageUrl, type ReadableSite } from "./ReadableSite.ts"

/** The place that links are resolved from. */
export interface LinkOrigin {
  readonly site: ReadableSite
  /** The space of the page. */
  readonly space: LoadedSpace
  /** The path of the page within its space, which relative paths in Markdown refer to. */
  readonly pagePath: string
  /** The encoded path of the page below the root of the site, which URLs are relative to. */
  readonly from: string
  /** Returns another space of the site, or `undefined` if it is not loaded. */
  readonly otherSpace: (id: string) => LoadedSpace | undefined
  /** Returns the id of the heading of a page that an anchor means; the anchor itself if it is unknown. */
  readonly anchorOf?: (space: LoadedSpace, page: DocumentPage, anchor: string) => string
}

const linkToPage = (
  { from, anchorOf }: LinkOrigin,
  space: LoadedSpace,
  page: TreePage,
  anchor: string
): ResolvedLink | undefined => {
  const document = firstDocument(page)
  if (document === undefined) return undefined
  const known = anchor === "" || anchorOf === undefined ? anchor : anchorOf(space, document, anchor)
  return {
    href: pageUrl(from, space, document, known),
    title: page.title,
    icon: iconOfPage(page),
    description: document.description,
    isExternal: false
  }
}

const linkToTarget = (origin: LinkOrigin, target: RelativeTarget): ResolvedLink | undefined => {
  if (target === undefined) return undefined
  if ("page" in target) return linkToPage(origin, origin.space, target.page, target.anchor)
  const href = resourceUrl(target.file.downloadURL)
  return href === undefined ? undefined : { href, title: target.file.name, isExternal: false }
}

/** Matches a target by its kind and its id, as Markdown of the API has it. */
const idPattern = /^\/(pages|files|spaces)\/([A-Za-z0-9._~-]{1,64})\/?(?:#([\s\S]*))?$/

const resolveUrl = (origin: LinkOrigin, url: string): ResolvedLink | undefined => {
  if (url === "") return undefined
  if (url.startsWith("#")) return { href: anchorUrl(decodePart(url.slice(1))), isExternal: false }
  const [, kind, id = "", anchor = ""] = idPattern.exec(url) ?? []
  if (kind === "pages") return resolveLink(origin, { kind: "anchor", page: id, anchor })
  if (kind === "files") return resolveLink(origin, { kind: "file", file: id })
  if (kind === "spaces") return resolveLink(origin, { kind: "space", space: id })
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) {
    const { publicUrl } = origin.site
    if (publicUrl !== undefined && url.startsWith(publicUrl)) {
      return { href: relativeUrl(origin.from, encodeUnsafe(url.slice(publicUrl.length))), isExternal: false }
    }
    const href = externalUrl(url)
    return href === undefined ? undefined : { href, isExternal: !/^(mailto|tel):/i.test(href) }
  }
  return linkToTarget(origin, resolvePath(origin.space.index, origin.pagePath, url))
}

/** Encodes the characters that a URL must not contain, without encoding a character twice. */
const encodeUnsafe = (path: string): string => encodeURI(decodePart(path))

/** Resolves the target of a link; `undefined` if the reader cannot open it. */
export const resolveLink = (origin: LinkOrigin, ref: LinkRef | ContentRef): ResolvedLink | undefined => {
  const { space, from, otherSpace } = origin
  const spaceOf = (id: string | undefined): LoadedSpace | undefined =>
    id === undefined || id === space.id ? space : otherSpace(id)
  switch (ref.kind) {
    case "page":
    case "anchor": {
      const target = spaceOf(ref.space)
      const anchor = ref.kind === "anchor" ? ref.anchor : ""
      if (target === undefined) return undefined
      if (ref.page === undefined) return { href: anchorUrl(anchor), isExternal: false }
      const page = target.index.byId.get(ref.page)?.page
      return page === undefined ? undefined : linkToPage(origin, target, page, anchor)
    }
    case "space": {
      const target = spaceOf(ref.space)
      return target === undefined
        ? undefined
        : { href: relativeUrl(from, target.root), title: target.title, isExternal: false }
    }
    case "file": {
      const file = space.index.files.get(ref.file)
      const href = file === undefined ? undefined : resourceUrl(file.downloadURL)
      return href === undefined ? undefined : { href, title: file!.name, isExternal: false }
    }
    case "url":
      return resolveUrl(origin, ref.url)
    default:
      return undefined
  }
}

/** Returns the file of a reference: by its id, or by its path in Markdown. */
const fileOf = (
  { space, pagePath }: LinkOrigin,
  ref: { readonly kind: string; readonly file?: string; readonly url?: string }
) => {
  if (ref.file !== undefined) return space.index.files.get(ref.file)
  const url = ref.url ?? ""
  const [, kind, id = ""] = idPattern.exec(url) ?? []
  if (kind === "files") return space.index.files.get(id)
  if (url === "" || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) return undefined
  const target = resolvePath(space.index, pagePath, url)
  return target !== undefined && "file" in target ? target.file : undefined
}

/** Resolves an image. */
export const resolveImage = (
  origin: LinkOrigin,
  ref: { readonly kind: string; readonly file?: string; readonly url?: string }
): ResolvedImage | undefined => {
  const file = fileOf(origin, ref)
  if (file !== undefined) {
    const src = resourceUrl(file.downloadURL)
    return src === undefined
      ? undefined
      : { src, width: file.dimensions?.width, height: file.dimensions?.height }
  }
  const src = resourceUrl(ref.url ?? "")
  return src === undefined ? undefined : { src }
}

/** Resolves a file to download. */
export const resolveFile = (
  origin: LinkOrigin,
  ref: { readonly kind: string; readonly file?: string; readonly url?: string }
): ResolvedFile | undefined => {
  const file = fileOf(origin, ref)
  const href = resourceUrl(file?.downloadURL ?? ref.url ?? "")
  if (href === undefined) return undefined
  return file === undefined
    ? { href, name: decodePart(new URL(href).pathname.split("/").at(-1) || new URL(href).hostname) }
    : { href, name: file.name, size: file.size, contentType: file.contentType }
}
