/** The place of a document, which its links and images depend on. */
import type { ContentRef, File, Page } from "@lectern/client/fetch"
import { createContext, useContext } from "react"
import { pagePath } from "../router/pagePaths.ts"

/** Resolves the references of a document. */
export interface DocumentPlace {
  /** Returns the title and the path of a page of the same content. */
  readonly pageOf: (pageId: string) => { readonly page: Page; readonly to: string } | undefined
  readonly fileOf: (fileId: string) => File | undefined
  /** The organization whose APIs are displayed. Without it, blocks of APIs are references. */
  readonly organizationId?: string | undefined
}

/** The place of the document that is displayed. */
export const DocumentContext = createContext<DocumentPlace>({
  pageOf: () => undefined,
  fileOf: () => undefined
})

/** The target of a reference. */
export interface Target {
  /** The path of a place of the application. */
  readonly to?: string
  /** A URL outside of it. */
  readonly href?: string
  readonly title: string
}

/** Any reference in a document. Nodes restrict its fields differently. */
export type AnyRef = { readonly kind: string } & {
  readonly [Key in "page" | "space" | "anchor" | "url" | "file"]?: unknown
}

/** Returns whether a field of a node is a reference. */
export const isRef = (value: unknown): value is AnyRef =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { readonly kind?: unknown }).kind === "string"

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Returns whether a URL can be opened by a click. Others, such as `javascript:`, are displayed as text. */
const isSafeUrl = (url: string): boolean => /^(https?:|mailto:|tel:)/i.test(url)

const resolve = (ref: AnyRef | ContentRef, { pageOf, fileOf }: DocumentPlace): Target => {
  const { kind, page, space, anchor, url, file } = ref as AnyRef
  const spaceId = text(space)
  if (kind === "url") {
    const target = text(url) ?? ""
    return isSafeUrl(target) ? { href: target, title: target } : { title: target }
  }
  if (kind === "page" || kind === "anchor") {
    const hash = text(anchor) === undefined ? "" : `#${text(anchor)}`
    const pageId = text(page)
    if (pageId === undefined) return hash === "" ? { title: "" } : { href: hash, title: hash }
    if (spaceId !== undefined) return { to: `${pagePath({ spaceId }, { id: pageId })}${hash}`, title: "" }
    const found = pageOf(pageId)
    return found === undefined ? { title: "" } : { to: found.to + hash, title: found.page.title }
  }
  if (kind === "file") {
    const found = fileOf(text(file) ?? "")
    return found === undefined ? { title: "" } : { href: found.downloadURL, title: found.name }
  }
  if (kind === "space" && spaceId !== undefined) return { to: pagePath({ spaceId }), title: "" }
  return { title: "" }
}

/** Returns the target of a reference. */
export const useTarget = (ref: AnyRef | ContentRef): Target => resolve(ref, useContext(DocumentContext))

/** Returns the URL of an image. Images of other servers are not loaded: their URL is displayed as a link. */
export const useImage = (ref: AnyRef): { readonly source?: string; readonly target: Target } => {
  const target = useTarget(ref)
  return ref.kind === "file" && target.href !== undefined ? { source: target.href, target } : { target }
}
