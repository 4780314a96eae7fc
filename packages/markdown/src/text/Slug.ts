/** Slugs: the URL segments of resources, derived from their titles. */
import { slug as toSlug } from "github-slugger"

/** The maximum length of a slug, in code points. */
const maximumLength = 100

/** Derives a slug of at most 100 characters from a title. Returns `fallback` if no character of the title is allowed. */
export const slugOf = (title: string, fallback: string): string => {
  const slug = Array.from(toSlug(title))
    .slice(0, maximumLength)
    .join("")
    .replace(/^\.{1,2}$/, "")
  return slug === "" ? fallback : slug
}

/** Appends a number to a slug, and truncates the slug so that the result has at most 100 characters. */
export const withSuffix = (slug: string, number: number): string => {
  const suffix = `-${number}`
  return (
    Array.from(slug)
      .slice(0, maximumLength - suffix.length)
      .join("") + suffix
  )
}

/** The last suffix of each slug in a set, below which all are taken: many siblings can have the same title. */
const lastSuffixes = new WeakMap<ReadonlySet<string>, Map<string, number>>()

/**
 * Returns the slug if it is free, otherwise with the first free suffix of `-1`, `-2` and so on. Slugs may be added to the set
 * between two calls, and not removed.
 */
export const freeAmong = (taken: ReadonlySet<string>, wanted: string): string => {
  if (!taken.has(wanted)) return wanted
  const suffixes = lastSuffixes.get(taken) ?? new Map<string, number>()
  lastSuffixes.set(taken, suffixes)
  let number = suffixes.get(wanted) ?? 1
  while (taken.has(withSuffix(wanted, number))) number++
  suffixes.set(wanted, number)
  return withSuffix(wanted, number)
}
