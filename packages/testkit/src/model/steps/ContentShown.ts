/** Conversions between the content of the model and the pages that a workspace returns. */
import { type Content, childrenOf, type PageState } from "../state/ContentModel.ts"

/** A page as the workspace returns it. */
export interface ShownPage {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly path: string
  readonly updatedAt: string
  readonly pages: ReadonlyArray<ShownPage>
}

/** Returns the pages that a workspace must return for a content. */
export const toShownPages = (content: Content, parent = "", above = ""): ReadonlyArray<ShownPage> =>
  childrenOf(content, parent).map((id) => {
    const { title, slug, updatedAt } = content.pages.get(id)!
    const path = `${above}${slug}`
    const pages = toShownPages(content, id, `${path}/`)
    return { id, title, slug, path, updatedAt: new Date(updatedAt).toISOString(), pages }
  })

/**
 * Returns the content with unspecified details taken from the workspace: numeric suffixes of conflicting slugs, and,
 * after a merge, the order of the pages of both sides. Returns a message if the workspace deviates in specified
 * details: missing or misplaced pages, slugs that are not unique, or another order of the pages of the primary content.
 */
export const reconcile = (
  content: Content,
  shown: ReadonlyArray<ShownPage>,
  isMerge: boolean
): Content | string => {
  const pages = new Map<string, PageState>()
  const order = new Map<string, ReadonlyArray<string>>()
  const walk = (parent: string, list: ReadonlyArray<ShownPage>): string | undefined => {
    if (new Set(list.map(({ slug }) => slug)).size < list.length)
      return `Slugs are not unique in "${parent}".`
    if (list.length > 0)
      order.set(
        parent,
        list.map(({ id }) => id)
      )
    for (const { id, slug, pages: below } of list) {
      const page = content.pages.get(id)
      if (page?.parent !== parent) return `Page ${id} is in "${parent}", expected "${page?.parent}".`
      const isUnspecified = page.mayHaveSuffix || isMerge
      const isAllowed = isUnspecified ? isSlugOf(slug, page.slug) : slug === page.slug
      if (!isAllowed) return `Page ${id} has the slug ${slug}, expected ${page.slug}.`
      const { isMoved: _, ...rest } = page
      pages.set(id, { ...rest, slug, mayHaveSuffix: false })
      const problem = walk(id, below)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  const problem = walk("", shown)
  if (problem !== undefined) return problem
  if (pages.size < content.pages.size) return "Pages are missing."
  for (const [parent, list] of content.order) {
    const [was, is] = [list, order.get(parent) ?? []].map((ids) =>
      ids.filter((id) => !isMerge || isPlaceKnown(content, parent, id))
    )
    if (was!.join() !== is!.join()) return `The pages in "${parent}" are in another order than expected.`
  }
  return { pages, order, files: content.files }
}

/** Whether a slug is the expected one, or has numeric suffixes: an edit adds one, and a merge another one. */
export const isSlugOf = (slug: string, wanted: string): boolean =>
  slug === wanted || (slug.startsWith(`${wanted}-`) && /^(-\d+)+$/.test(slug.slice(wanted.length)))

/** Whether the order of the primary content determines the position of a page. */
const isPlaceKnown = (content: Content, parent: string, id: string): boolean =>
  content.pages.get(id)?.parent === parent && content.pages.get(id)?.isMoved !== true
