/** Finds the words of text that match the terms of a query. */
import type { SearchTerm } from "@lectern/kernel"
import { foldText, isAscii, partsOfIdentifier, rawWordPattern, stemOf, wordsOf } from "@lectern/markdown/text"

/** A part of text that matches a term. */
export interface Highlight {
  readonly start: number
  readonly end: number
  /** The index of the term. */
  readonly term: number
}

/** A word of text, with its offsets. */
interface Token {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Returns the matches in text, in order. */
export type Highlighter = (text: string) => ReadonlyArray<Highlight>

/** A phrase, and the term that it belongs to. */
interface TermPhrase {
  readonly words: ReadonlyArray<string>
  readonly term: number
}

/**
 * Returns the beginning that a stem shares with all of its words: a stemmer changes the end of a word only, such as
 * `y` to `i`.
 */
const sharedStart = (stem: string): string => (stem.length > 1 ? stem.slice(0, -1) : stem)

const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** Returns the words of ASCII text that contain the beginning of a stem. Others cannot match. */
const candidatesInAscii = (text: string, pattern: RegExp): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    let [start, end] = [match.index, match.index + match[0].length]
    while (start > 0 && isAlphanumeric(text.charCodeAt(start - 1))) start--
    while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++
    pattern.lastIndex = end
    tokens.push({ word: text.slice(start, end), start, end })
  }
  return tokens
}

const tokensOf = (text: string): ReadonlyArray<Token> =>
  Array.from(text.matchAll(rawWordPattern), ({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length
  }))

const escapePattern = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "\\$&")

/** Prepares a search for matches of terms. */
export const makeHighlighter = (terms: ReadonlyArray<SearchTerm>): Highlighter => {
  const phrases = terms.flatMap(({ phrase, alternatives = [] }, term) =>
    [phrase, ...alternatives].map((words): TermPhrase => ({ words, term }))
  )
  const termByStem = new Map(
    phrases.flatMap(({ words, term }) => (words.length === 1 ? [[words[0]!, term] as const] : []))
  )
  const longPhrases = phrases.filter(({ words }) => words.length > 1)
  const prefixes = terms.flatMap(({ prefix }, term) => (prefix === undefined ? [] : [{ prefix, term }]))
  const starts = [
    ...phrases.flatMap(({ words }) => words.map(sharedStart)),
    ...prefixes.map(({ prefix }) => prefix)
  ]
  const asciiPattern = new RegExp([...new Set(starts)].map(escapePattern).join("|"), "gi")
  const termOf = (word: string): number | undefined =>
    termByStem.get(stemOf(word)) ?? prefixes.find(({ prefix }) => word.startsWith(prefix))?.term

  /** Returns the number of tokens that a phrase matches from a token on; 0 if it does not match. */
  const countTokens = (
    text: string,
    tokens: ReadonlyArray<Token>,
    from: number,
    phrase: ReadonlyArray<string>
  ): number => {
    let matched = 0
    for (let at = from; at < tokens.length; at++) {
      const token = tokens[at]!
      // Between the words of ASCII text that contain the beginning of a stem, there can be others.
      if (at > from && /[\p{L}\p{N}]/u.test(text.slice(tokens[at - 1]!.end, token.start))) return 0
      const stems = wordsOf(token.word).map(stemOf)
      if (at === from && stems.length > 1 && ` ${stems.join(" ")} `.includes(` ${phrase.join(" ")} `))
        return 1
      if (stems.some((stem, index) => phrase[matched + index] !== stem)) return 0
      matched += stems.length
      if (matched === phrase.length) return at - from + 1
    }
    return 0
  }

  /** Returns the match of a phrase of several words that starts with a token. */
  const phraseAt = (text: string, tokens: ReadonlyArray<Token>, from: number): Highlight | undefined => {
    for (const { words, term } of longPhrases) {
      const count = countTokens(text, tokens, from, words)
      if (count > 0) return { start: tokens[from]!.start, end: tokens[from + count - 1]!.end, term }
    }
    return undefined
  }

  /** Returns the matches of the parts of an identifier in camel case. */
  const partsIn = ({ word, start }: Token): ReadonlyArray<Highlight> => {
    let from = 0
    return partsOfIdentifier(word).flatMap((part) => {
      const at = word.indexOf(part, from)
      from = at + part.length
      const term = termOf(part.toLowerCase())
      return term === undefined ? [] : [{ start: start + at, end: start + from, term }]
    })
  }

  return (text) => {
    const tokens = isAscii(text) ? candidatesInAscii(text, asciiPattern) : tokensOf(text)
    const found: Array<Highlight> = []
    for (const [index, token] of tokens.entries()) {
      if (found.length > 0 && token.start < found.at(-1)!.end) continue
      const phrase = longPhrases.length === 0 ? undefined : phraseAt(text, tokens, index)
      if (phrase !== undefined) {
        found.push(phrase)
        continue
      }
      const term = termOf(foldText(token.word))
      if (term === undefined) found.push(...partsIn(token))
      else found.push({ start: token.start, end: token.end, term })
    }
    return found
  }
}
