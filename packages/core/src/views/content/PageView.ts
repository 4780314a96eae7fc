/** Converts stored pages to resources. */

import { pathOf } from "@lectern/content"
import type { BlobHash } from "@lectern/kernel"
import type { PageRecord, Placed } from "@lectern/kernel/tables"
import type { Steps } from "@lectern/markdown/merge"
import { isMetaUrl, type Page, type PageLayout, type PageMetaLinks } from "@lectern/model/content"
import { compareText } from "./compareKeys.ts"

/** The context that the resources of pages depend on. */
export interface PageContext {
  /** The URL in the application that the paths of pages are appended to, with a final slash. */
  readonly app: string
  /** Whether pages include their location in a git repository. */
  readonly metadata: boolean
  /** Whether pages include their conditions. */
  readonly conditions: boolean
}

/** The layout of a page that does not define one. */
const defaultLayout: PageLayout = {
  width: "default",
  cover: true,
  coverSize: "hero",
  coverMask: "none",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: false,
  actions: true,
  anchors: true
}

/** Returns the layout of a page, with default values for missing fields. */
export const layoutOf = ({ layout }: Pick<PageRecord, "layout">): PageLayout => ({
  ...defaultLayout,
  ...layout
})

/** Returns the id of a document in responses: the first half of the hash of the body. Undefined without a body. */
export const documentIdOf = ({ body }: { readonly body?: BlobHash }): string | undefined => body?.slice(0, 32)

const optional = <K extends keyof PageRecord>(
  page: PageRecord,
  ...fields: ReadonlyArray<K>
): Partial<Pick<PageRecord, K>> =>
  Object.fromEntries(
    fields.flatMap((field) => (page[field] === undefined ? [] : [[field, page[field]]]))
  ) as Partial<Pick<PageRecord, K>>

/** Returns the links for search engines, without URLs from before some were rejected. */
const metaLinksOf = ({ metaLinks }: PageRecord): { readonly metaLinks?: PageMetaLinks } => {
  if (metaLinks === undefined) return {}
  const isAccepted = (target: NonNullable<PageMetaLinks["canonical"]>) =>
    target.kind !== "url" || isMetaUrl(target.url)
  const { canonical, alternates } = metaLinks
  return {
    metaLinks: {
      ...(canonical === undefined || !isAccepted(canonical) ? {} : { canonical }),
      ...(alternates === undefined ? {} : { alternates: alternates.filter(isAccepted) })
    }
  }
}

/** Converts a page to a resource. `path` is its path, and `pages` are the resources of its children. */
export const presentPage = (
  context: PageContext,
  { id, page }: Placed,
  path: string,
  pages: ReadonlyArray<Page>
): Page => {
  const common = {
    id,
    title: page.title,
    ...optional(page, "emoji", "icon"),
    ...(context.conditions ? optional(page, "condition") : {}),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt
  }
  const visibility = {
    hidden: page.hidden === true,
    noIndex: page.noIndex === true,
    noRobotsIndex: page.noRobotsIndex === true
  }
  switch (page.type) {
    case "document": {
      const documentId = documentIdOf(page)
      return {
        ...common,
        kind: "sheet",
        type: "document",
        urls: { app: `${context.app}${encodeURI(path)}` },
        slug: page.slug,
        path,
        ...optional(page, "description", "cover"),
        ...metaLinksOf(page),
        ...(documentId === undefined ? {} : { documentId }),
        ...(context.metadata ? optional(page, "git") : {}),
        ...optional(page, "computed", "computedSeed"),
        layout: layoutOf(page),
        tags: [],
        ...visibility,
        pages
      }
    }
    case "group":
      return { ...common, kind: "group", type: "group", slug: page.slug, path, ...visibility, pages }
    case "link":
      return {
        ...common,
        kind: "link",
        type: "link",
        target: page.target!,
        ...(page.target?.kind === "url" ? { href: page.target.url } : {}),
        hidden: page.hidden === true
      }
    case "computed":
      return { ...common, type: "computed", computed: page.computed! }
  }
}

/** Converts the pages of a revision to a tree of resources. It yields after each page. */
export function* presentPages(context: PageContext, all: ReadonlyArray<Placed>): Steps<ReadonlyArray<Page>> {
  const children = new Map<string, Array<Placed>>()
  for (const one of all) {
    const siblings = children.get(one.page.parent)
    if (siblings === undefined) children.set(one.page.parent, [one])
    else siblings.push(one)
  }
  function* presentChildren(parent: string, parentPath: string): Steps<ReadonlyArray<Page>> {
    const presented: Array<Page> = []
    for (const one of (children.get(parent) ?? []).sort(comparePositions)) {
      const path = pathOf(parentPath, one.page)
      const below = children.has(one.id) ? yield* presentChildren(one.id, path) : []
      presented.push(presentPage(context, one, path, below))
      yield
    }
    return presented
  }
  return yield* presentChildren("", "")
}

const comparePositions = (a: Placed, b: Placed): number =>
  compareText(a.page.position, b.page.position) || compareText(a.id, b.id)
