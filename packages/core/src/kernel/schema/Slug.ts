/** Slugs: what names something in an address, made from its title. */
import { slug as toSlug } from "github-slugger"

/** The most characters of a slug. */
const longest = 100

/** The slug of a title, at most 100 characters; the fallback where nothing of the title can be in one. */
export const slugOf = (title: string, fallback: string): string => {
  const slug = Array.from(toSlug(title))
    .slice(0, longest)
    .join("")
    .replace(/^\.{1,2}$/, "")
  return slug === "" ? fallback : slug
}

/** The slug with a number behind it, still within its bounds. */
export const withSuffix = (slug: string, number: number): string => {
  const suffix = `-${number}`
  return (
    Array.from(slug)
      .slice(0, longest - suffix.length)
      .join("") + suffix
  )
}

/** The slug, or the first of `-1`, `-2` … that is not among those taken. */
export const freeAmong = (taken: ReadonlySet<string>, wanted: string): string => {
  if (!taken.has(wanted)) return wanted
  let number = 1
  while (taken.has(withSuffix(wanted, number))) number++
  return withSuffix(wanted, number)
}
