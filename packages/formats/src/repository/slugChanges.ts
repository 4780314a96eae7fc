/** Changes of slugs that earlier versions derived by another rule than the source. */
import { servableSlug, slugOf, slugOfGroup } from "@lectern/markdown/text"
import { readLayout, slugsOfFile } from "./layout.ts"

/** A page of a space. */
export interface SluggedPage {
  readonly id: string
  readonly type: string
  readonly title: string
  /** Absent for links. */
  readonly slug?: string
  /** The location in the repository that the page was imported from. */
  readonly git?: { readonly path?: string }
  readonly pages?: ReadonlyArray<SluggedPage>
}

/** A change of the slug of a page. */
export interface SlugChange {
  readonly page: string
  readonly slug: string
  /** The path of the page now, and when all changes are applied. */
  readonly from: string
  readonly to: string
}

const pathsIn = (pages: ReadonlyArray<SluggedPage>): ReadonlyArray<string> =>
  pages.flatMap(({ git, pages: below = [] }) => [
    ...(git?.path === undefined ? [] : [git.path]),
    ...pathsIn(below)
  ])

const joined = (above: string, slug: string): string => (above === "" ? slug : `${above}/${slug}`)

/**
 * Returns the changes that give imported pages and groups the slugs of their source. A page has another slug than its source if an
 * earlier version has imported it. Slugs that a writer has chosen do not change, nor does a slug if a sibling
 * of the page has that of the source.
 */
export const slugChangesOf = (pages: ReadonlyArray<SluggedPage>): ReadonlyArray<SlugChange> => {
  const layout = readLayout(undefined, pathsIn(pages))
  /** Returns the slug of the source for a page that has a slug which an earlier version has derived. */
  const sourceSlugOf = ({ type, title, slug, git }: SluggedPage): string | undefined => {
    const path = git?.path
    if (path === undefined && type !== "group") return undefined
    const [current, ...former] =
      path === undefined
        ? [servableSlug(slugOfGroup(title)), slugOf(title, "page")]
        : slugsOfFile(layout, path, title)
    return path !== layout.readmePath && slug !== current && former.includes(slug ?? "") ? current : undefined
  }
  const changes: Array<SlugChange> = []
  const visit = (siblings: ReadonlyArray<SluggedPage>, from: string, to: string): void => {
    const taken = new Set(siblings.flatMap(({ slug }) => slug ?? []))
    for (const page of siblings) {
      if (page.slug === undefined) continue
      const wanted = sourceSlugOf(page)
      const slug = wanted === undefined || taken.has(wanted) ? page.slug : wanted
      taken.add(slug)
      const [before, after] = [joined(from, page.slug), joined(to, slug)]
      if (slug !== page.slug) changes.push({ page: page.id, slug, from: before, to: after })
      visit(page.pages ?? [], before, after)
    }
  }
  visit(pages, "", "")
  return changes
}
