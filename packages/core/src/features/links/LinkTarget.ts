/** What a reference leads to, found in the content that it is written in: pure functions. */

import { unescaped } from "../../kernel/schema/Text.ts"
import type { ContentRef as PageRef } from "../../model/content/Page.ts"
import type { Reference } from "../content/outline/Outline.ts"

/** What is linked to, by what it is found by. */
export type Target =
  | { readonly kind: "page"; readonly page: string; readonly anchor: string }
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "reusable-content"; readonly reusableContent: string }
  /** Whether there is one, and whether the caller may see it, is not told by the content. */
  | {
      readonly kind: "space" | "user" | "collection" | "openapi"
      readonly id: string
      readonly isApp: boolean
    }
  | { readonly kind: "url"; readonly url: string; readonly isApp: boolean }
  /** What is not there, as it is written. */
  | { readonly kind: "broken"; readonly url: string }

/** What tells a target from all others. */
export const keyOf = (target: Target): string => {
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

/** A target that is not found, as it could be written. */
export const writtenAs = (target: Target): string => {
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

/** The content that references are looked up in. */
export interface Surroundings {
  /** The address of the workspace. */
  readonly base: string
  readonly pageByPath: ReadonlyMap<string, string>
  readonly pathOf: ReadonlyMap<string, string>
  /** The anchors of a page; undefined where there is no such page. */
  readonly anchorsOf: (page: string) => ReadonlySet<string> | undefined
  readonly files: ReadonlySet<string>
  readonly fileByName: ReadonlyMap<string, string>
  readonly reusableContents: ReadonlySet<string>
}

const broken = (url: string): Target => ({ kind: "broken", url })

const pageTarget = (all: Surroundings, page: string, anchor: string, written: string): Target => {
  const anchors = all.anchorsOf(page)
  if (anchors === undefined) return broken(written)
  if (anchor === "") return { kind: "page", page, anchor }
  const wanted = [anchor, unescaped(anchor)].find((one) => anchors.has(one))
  return wanted === undefined ? broken(written) : { kind: "page", page, anchor: wanted }
}

const fileTarget = (all: Surroundings, file: string, written: string): Target =>
  all.files.has(file) ? { kind: "file", file } : broken(written)

/** The application's own addresses: a space and what is in it, or anything else. */
const inApp = (base: string, url: string): Target | undefined => {
  if (url !== base && !url.startsWith(`${base}/`)) return undefined
  const [, space] = /^\/s\/([A-Za-z0-9._~-]{1,64})(?:[/?#]|$)/.exec(url.slice(base.length)) ?? []
  return space === undefined ? { kind: "url", url, isApp: true } : { kind: "space", id: space, isApp: true }
}

/** What is named by its kind and its id, as pages and files are. */
const named = /^\/(spaces|users|collections|openapi)\/([A-Za-z0-9._~-]{1,100})\/?$/

const kinds = { spaces: "space", users: "user", collections: "collection", openapi: "openapi" } as const

/** The segments of a relative address, from a place on; undefined where it leads out of the content. */
const walk = (from: ReadonlyArray<string>, way: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const at = [...from]
  for (const segment of way) {
    if (segment === "" || segment === ".") continue
    if (segment !== "..") at.push(segment)
    else if (at.pop() === undefined) return undefined
  }
  return at
}

/** The path of a page that a file of markdown is: `guide/README.md` is `guide`. */
const pagePathOf = (segments: ReadonlyArray<string>): string =>
  segments
    .join("/")
    .replace(/\.(md|mdx|markdown|html?)$/i, "")
    .replace(/(^|\/)(readme|index)$/i, "")

/**
 * What a relative address leads to. It counts from the page as a file does: from beside it; or from below it, which is
 * where the pages of a folder are whose own page is its README.
 */
const relative = (all: Surroundings, page: string, url: string): Target => {
  const [, path = "", , anchor = ""] = /^([^?#]*)(\?[^#]*)?(?:#([\s\S]*))?$/.exec(url) ?? []
  if (path === "") return pageTarget(all, page, anchor, url)
  const way = unescaped(path).split("/")
  const here = (all.pathOf.get(page) ?? "").split("/").filter((segment) => segment !== "")
  const starts = path.startsWith("/") ? [[]] : [here.slice(0, -1), here]
  for (const start of starts) {
    const segments = walk(start, way)
    if (segments === undefined) continue
    const found = all.pageByPath.get(pagePathOf(segments))
    if (found !== undefined) return pageTarget(all, found, anchor, url)
  }
  const file = all.fileByName.get(way.at(-1)!)
  return file === undefined ? broken(url) : { kind: "file", file }
}

const urlTarget = (all: Surroundings, page: string, url: string): Target => {
  const app = inApp(all.base, url)
  if (app !== undefined) return app
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith("//")) return { kind: "url", url, isApp: false }
  const [, kind, id] = named.exec(url) ?? []
  if (kind !== undefined) return { kind: kinds[kind as keyof typeof kinds], id: id!, isApp: false }
  return url === "" ? broken(url) : relative(all, page, url)
}

const spaceTarget = (id: string): Target => ({ kind: "space", id, isApp: false })

/** What a reference of a page leads to. */
export const targetOf = (all: Surroundings, page: string, ref: Reference["ref"] | PageRef): Target => {
  switch (ref.kind) {
    case "page":
      return typeof ref.space === "string"
        ? spaceTarget(ref.space)
        : pageTarget(all, ref.page, "", `/pages/${ref.page}`)
    case "anchor":
      return typeof ref.space === "string"
        ? spaceTarget(ref.space)
        : pageTarget(
            all,
            ref.page ?? page,
            ref.anchor,
            ref.page === undefined ? `#${ref.anchor}` : `/pages/${ref.page}#${ref.anchor}`
          )
    case "file":
      return fileTarget(all, ref.file, `/files/${ref.file}`)
    case "reusable-content": {
      const { reusableContent } = ref
      if (typeof ref.space === "string") return spaceTarget(ref.space)
      return all.reusableContents.has(reusableContent)
        ? { kind: "reusable-content", reusableContent }
        : broken(`/reusable-contents/${reusableContent}`)
    }
    case "url":
      return urlTarget(all, page, ref.url)
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
