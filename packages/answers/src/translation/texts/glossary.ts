/** Finds the terms of a glossary in text. */

/** A term of the glossary in the language of the source, with its translation. */
export interface Term {
  readonly source: string
  readonly translation: string
}

/** A part of text: plain text, or a term with the text that replaces it. */
export type Part =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "term"; readonly text: string; readonly translation: string }

/** Divides text at the terms of a glossary. */
export type FindTerms = (text: string) => ReadonlyArray<Part>

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+")

const keyOf = (term: string): string => term.trim().replace(/\s+/g, " ").toLowerCase()

/** Begins a translation with a capital letter if the term does. */
const inCaseOf = (term: string, translation: string): string => {
  const [first = ""] = term
  const [initial = ""] = translation
  return first !== first.toLowerCase()
    ? initial.toUpperCase() + translation.slice(initial.length)
    : translation
}

/** Returns the terms of a glossary that have a translation between two languages. */
export const termsOf = (
  entries: ReadonlyArray<{ readonly translations: Readonly<Record<string, string>> }>,
  from: string,
  to: string
): ReadonlyArray<Term> =>
  entries.flatMap(({ translations }) => {
    const [source = "", translation = ""] = [translations[from]?.trim(), translations[to]?.trim()]
    return source === "" || translation === "" ? [] : [{ source, translation }]
  })

/** Creates the function that finds whole terms, regardless of their case. Of terms that overlap, the longest is found. */
export const makeFindTerms = (terms: ReadonlyArray<Term>): FindTerms => {
  if (terms.length === 0) return (text) => [{ kind: "plain", text }]
  const translations = new Map(terms.map(({ source, translation }) => [keyOf(source), translation]))
  const longestFirst = terms.map(({ source }) => source).toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${longestFirst.map(escaped).join("|")})(?![\\p{L}\\p{N}_])`,
    "giu"
  )
  return (text) => {
    const parts: Array<Part> = []
    let at = 0
    for (const match of text.matchAll(pattern)) {
      const [term] = match
      const translation = translations.get(keyOf(term))
      if (translation === undefined) continue
      if (match.index > at) parts.push({ kind: "plain", text: text.slice(at, match.index) })
      parts.push({ kind: "term", text: term, translation: inCaseOf(term, translation) })
      at = match.index + term.length
    }
    if (at < text.length) parts.push({ kind: "plain", text: text.slice(at) })
    return parts
  }
}
