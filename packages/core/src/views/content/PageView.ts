/** Pages as callers see them. */
import type { BlobHash } from "../../kernel/storage/index.ts"
import type { PageRecord, Placed } from "../../model/content/ContentRecord.ts"
import type { Page, PageLayout } from "../../model/content/Page.ts"
import { compareText } from "./compareKeys.ts"

/** What pages are shown with. */
export interface PageContext {
  /** The address in the application that the paths of pages are appended to; it ends in a slash. */
  readonly app: string
  /** Whether to say where pages are in a git repository. */
  readonly metadata: boolean
}

/** What is visible of a page that does not say. */
const defaultLayout: PageLayout = {
  width: "default",
  cover: true,
  coverSize: "hero",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true
}

/** The layout of a page, with what it does not say. */
export const layoutOf = ({ layout }: Pick<PageRecord, "layout">): PageLayout => ({
  ...defaultLayout,
  ...layout
})

/** The name of a body in answers: as much of its hash as tells it from all others. */
export const documentIdOf = ({ body }: { readonly body?: BlobHash }): string | undefined => body?.slice(0, 32)

/** The path of a page below another; links and computed pages have none. */
export const pathOf = (above: string, { slug }: Pick<PageRecord, "slug">): string =>
  above === "" ? slug : `${above}/${slug}`

const optional = <K extends keyof PageRecord>(
  page: PageRecord,
  ...fields: ReadonlyArray<K>
): Partial<Pick<PageRecord, K>> =>
  Object.fromEntries(
    fields.flatMap((field) => (page[field] === undefined ? [] : [[field, page[field]]]))
  ) as Partial<Pick<PageRecord, K>>

/** A page with the pages below it, which are in their shape already. `path` is the page's own. */
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
        ...(documentId === undefined ? {} : { documentId }),
        ...(context.metadata ? optional(page, "git") : {}),
        ...optional(page, "computed", "computedSeed"),
        layout: layoutOf(page),
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

/** All pages of a revision as their tree. */
export const presentPages = (context: PageContext, all: ReadonlyArray<Placed>): ReadonlyArray<Page> => {
  const children = new Map<string, Array<Placed>>()
  for (const one of all) {
    const siblings = children.get(one.page.parent)
    if (siblings === undefined) children.set(one.page.parent, [one])
    else siblings.push(one)
  }
  const under = (parent: string, above: string): ReadonlyArray<Page> =>
    (children.get(parent) ?? []).sort(byPlace).map((one) => {
      const path = pathOf(above, one.page)
      return presentPage(context, one, path, under(one.id, path))
    })
  return under("", "")
}

const byPlace = (a: Placed, b: Placed): number =>
  compareText(a.page.position, b.page.position) || compareText(a.id, b.id)
