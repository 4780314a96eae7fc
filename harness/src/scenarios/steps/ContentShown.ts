/** Content as the workspace shows it, beside how the model has it. */
import { type Content, childrenOf, type PageState } from "../model/ContentModel.ts"

/** A page as it is shown, with where it stands. */
export interface ShownPage {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly path: string
  readonly updatedAt: string
  readonly pages: ReadonlyArray<ShownPage>
}

/** The content as it has to be shown: what stands where, with what all of it is called. */
export const show = (content: Content, parent = "", above = ""): ReadonlyArray<ShownPage> =>
  childrenOf(content, parent).map((id) => {
    const { title, slug, updatedAt } = content.pages.get(id)!
    const path = `${above}${slug}`
    const pages = show(content, id, `${path}/`)
    return { id, title, slug, path, updatedAt: new Date(updatedAt).toISOString(), pages }
  })

/**
 * The content with what the workspace is free to say: the numbers behind slugs that several pages want, and, of merges,
 * the order in which the pages of both sides stand. What it may not say so is told: pages that are not there or stand
 * elsewhere, slugs that are not free, or pages of the primary content in another order than before.
 */
export const settle = (
  content: Content,
  shown: ReadonlyArray<ShownPage>,
  isMerge: boolean
): Content | string => {
  const pages = new Map<string, PageState>()
  const order = new Map<string, ReadonlyArray<string>>()
  const walk = (parent: string, list: ReadonlyArray<ShownPage>): string | undefined => {
    if (new Set(list.map(({ slug }) => slug)).size < list.length)
      return `slugs are not unique below "${parent}"`
    if (list.length > 0)
      order.set(
        parent,
        list.map(({ id }) => id)
      )
    for (const { id, slug, pages: below } of list) {
      const page = content.pages.get(id)
      if (page?.parent !== parent) return `page ${id} stands below "${parent}"`
      const isFree = page.isContested || isMerge
      const isFine = isFree ? slug === page.slug || isNumbered(slug, page.slug) : slug === page.slug
      if (!isFine) return `page ${id} has the slug ${slug}, and should have ${page.slug}`
      const { isMoved: _, ...rest } = page
      pages.set(id, { ...rest, slug, isContested: false })
      const wrong = walk(id, below)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  const wrong = walk("", shown)
  if (wrong !== undefined) return wrong
  if (pages.size < content.pages.size) return "pages are missing"
  for (const [parent, list] of content.order) {
    const [was, is] = [list, order.get(parent) ?? []].map((ids) =>
      ids.filter((id) => !isMerge || stays(content, parent, id))
    )
    if (was!.join() !== is!.join()) return `pages below "${parent}" are in another order`
  }
  return { pages, order, files: content.files }
}

const isNumbered = (slug: string, wanted: string): boolean =>
  slug.startsWith(`${wanted}-`) && /^(-\d+)+$/.test(slug.slice(wanted.length))

/** Whether a page is one that the order of the primary content still says the place of. */
const stays = (content: Content, parent: string, id: string): boolean =>
  content.pages.get(id)?.parent === parent && content.pages.get(id)?.isMoved !== true
