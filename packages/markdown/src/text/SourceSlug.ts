/** Slugs of imported pages, by the rules of GitBook, so that the URLs of a documentation site survive its migration. */
import { transliterate } from "transliteration"
import { withSuffix } from "./Slug.ts"
import { withSymbolWords } from "./symbolWords.ts"

/** The maximum length of a slug, in code points. */
const maximumLength = 100

/** Matches names that are slugs as they are. */
const plainName = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~+-]+$/u

/** Matches slugs at which the reader serves another document: a page as Markdown, and the files at the root of a site. */
const servedName = /\.md$|^(?:robots\.txt|sitemap\.xml|llms(?:-full)?\.txt|rss\.xml|atom\.xml)$/i

const truncated = (slug: string): string => Array.from(slug).slice(0, maximumLength).join("")

/**
 * Derives the slug of a group from its title: in ASCII and lower case, with words for `&`, `|`, `<` and `>`, and a hyphen for every
 * other gap between words. Dots, underscores and plus signs stay; quotes, brackets and emoji do not.
 */
export const slugOfGroup = (title: string): string => {
  const words = withSymbolWords(
    transliterate(title.normalize("NFC").replaceAll(/\p{Extended_Pictographic}|\u{fe0f}|\u{200d}/gu, ""))
  )
    .toLowerCase()
    .replaceAll(/['"`‘’“”()[\]{}]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}._~+]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
  const slug = truncated(words)
  return plainName.test(slug) ? slug : "page"
}

/** Derives the slug of a page from the name of its file or its folder: the name in lower case, or the slug of its words. */
export const slugOfName = (name: string): string => {
  const composed = name.normalize("NFC")
  return plainName.test(composed) ? truncated(composed.toLowerCase()) : slugOfGroup(composed)
}

/** Returns a slug, with a suffix if the reader serves another document at its URL: `setup.md-1` for `setup.md`. */
export const servableSlug = (slug: string): string => (servedName.test(slug) ? withSuffix(slug, 1) : slug)

/** Returns a path with the slugs that pages have instead of its segments; see {@link servableSlug}. */
export const servablePath = (path: string): string => path.split("/").map(servableSlug).join("/")
