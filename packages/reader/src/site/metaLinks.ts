/** Resolves the links of a page for search engines. */
import type { PageMetaLinks, StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { externalUrl, type SafeUrl } from "../html/urls.ts"
import type { DocumentPage } from "../source/PageIndex.ts"
import { type LoadedSpace, pathOfPage, type ReadableSite } from "./ReadableSite.ts"

type Target = NonNullable<PageMetaLinks["canonical"]>

/** A resolved link, with the language of its space if it is another one than that of the page. */
interface Resolved {
  readonly href: SafeUrl
  readonly language: string | undefined
}

/** The links of a page, with the other spaces that they depend on. */
export interface ResolvedLinks {
  /** The page to list instead of the page. Undefined without one that the reader displays. */
  readonly canonical: SafeUrl | undefined
  /** The alternates with their languages, and the page itself if they are in other ones. A URL has no known language. */
  readonly alternates: ReadonlyArray<readonly [language: string | undefined, href: SafeUrl]>
  /** The other spaces whose pages are linked. */
  readonly spaces: ReadonlyArray<LoadedSpace>
}

/** The sources of {@link resolveMetaLinks}. */
export interface MetaLinkSources {
  /** Loads another space of the site. */
  readonly loadSpace: (
    site: ReadableSite,
    id: string
  ) => Effect.Effect<LoadedSpace | undefined, StorageUnavailable>
  /** Returns the absolute URL of a path on the site; undefined in a preview. */
  readonly absoluteUrl: (site: ReadableSite, path: string) => SafeUrl | undefined
}

/** Resolves the links that are set on a page. Links to pages that the site does not display are omitted. */
export const resolveMetaLinks = Effect.fnUntraced(function* (
  { loadSpace, absoluteUrl }: MetaLinkSources,
  site: ReadableSite,
  space: LoadedSpace,
  page: DocumentPage
): Effect.fn.Return<ResolvedLinks, StorageUnavailable> {
  const { canonical, alternates = [] } = page.metaLinks ?? {}
  const loaded = new Map<string, LoadedSpace>()

  const resolve = Effect.fnUntraced(function* (
    target: Target
  ): Effect.fn.Return<Resolved | undefined, StorageUnavailable> {
    if (target.kind === "url") {
      const href = externalUrl(target.url)
      return href === undefined ? undefined : { href, language: undefined }
    }
    const id = target.space ?? space.id
    const other = id === space.id ? space : (loaded.get(id) ?? (yield* loadSpace(site, id)))
    if (other === undefined) return undefined
    if (other !== space) loaded.set(id, other)
    const found = other.index.byId.get(target.page)
    if (found === undefined || found.isHidden || found.page.type !== "document") return undefined
    const href = absoluteUrl(site, pathOfPage(other, found.page))
    const { language } = other
    return href === undefined
      ? undefined
      : { href, language: language === space.language ? undefined : language }
  })

  const main = canonical === undefined ? undefined : yield* resolve(canonical)
  const resolved: Array<readonly [string | undefined, SafeUrl]> = []
  for (const target of alternates) {
    const link = yield* resolve(target)
    if (link !== undefined) resolved.push([link.language, link.href])
  }
  const self = absoluteUrl(site, pathOfPage(space, page))
  // Search engines use alternates by language only if the page itself is among them.
  const isByLanguage = space.language !== undefined && resolved.some(([language]) => language !== undefined)
  return {
    canonical: main?.href,
    alternates: isByLanguage && self !== undefined ? [[space.language, self], ...resolved] : resolved,
    spaces: [...loaded.values()]
  }
})
