/** Resolves the targets of links in a repository to stored content. */

import type { RepositoryNode, Target } from "@lectern/formats"
import type { ContentRef, FileId, PageCover, PageId, ReusableContentId } from "@lectern/model/content"
import { type Destinations, escapeDestination, fragmentOf } from "./fileContent.ts"

/** The content of a repository by paths. A page or a file is imported when its id is requested. */
export interface LinkedContent {
  readonly resolve: (path: string) => string | undefined
  readonly page: (path: string) => PageId | undefined
  readonly file: (path: string) => FileId | undefined
  readonly include: (path: string) => ReusableContentId | undefined
}

/** The functions that resolve targets. */
export interface LinkTargets {
  /** Returns the path of the file that a link leads to. */
  readonly resourceOf: (url: string) => string | undefined
  readonly destinationOf: Destinations
  readonly imageOf: (target: Target) => NonNullable<PageCover["ref"]> | undefined
  /** Returns the target of a link in the page tree. */
  readonly targetOf: (node: RepositoryNode) => ContentRef | undefined
}

/** Creates the functions that resolve the targets of links. */
export const makeLinkTargets = ({ resolve, page, file, include }: LinkedContent): LinkTargets => {
  const resourceOf = (url: string): string | undefined => resolve(url.split("#", 1)[0]!)
  const destinationOf: Destinations = ({ kind, url }) => {
    const path = resourceOf(url)
    if (path === undefined) return undefined
    if (kind === "include") {
      const id = include(path)
      return id === undefined ? undefined : `/reusable-contents/${id}`
    }
    const pageId = page(path)
    if (pageId !== undefined) return `/pages/${pageId}${escapeDestination(fragmentOf(url))}`
    const fileId = file(path)
    return fileId === undefined ? undefined : `/files/${fileId}`
  }
  return {
    resourceOf,
    destinationOf,
    imageOf: (target) => {
      const stored = destinationOf(target)
      if (stored?.startsWith("/files/") === true)
        return { kind: "file", file: stored.slice("/files/".length) }
      return /^https?:\/\//.test(target.url) ? { kind: "url", url: target.url } : undefined
    },
    targetOf: ({ target }) => {
      if (target === undefined) return undefined
      if ("ref" in target) return target.ref
      if ("url" in target) return { kind: "url", url: target.url }
      const pageId = page(target.path)
      if (pageId === undefined) {
        const fileId = file(target.path)
        return fileId === undefined ? { kind: "url", url: target.path } : { kind: "file", file: fileId }
      }
      return target.anchor === undefined
        ? { kind: "page", page: pageId }
        : { kind: "anchor", anchor: target.anchor, page: pageId }
    }
  }
}
