/**
 * Tokenizes text. Indexed text and queries are tokenized in the same way for every store, so that a store only needs to
 * find equal words.
 *
 * A word is a run of letters and digits, after folding of case, accents and compatibility forms. In scripts without
 * spaces between words, and for pictograms, each character is a word.
 */
import { stemmer } from "stemmer"

/** The maximum number of characters per word. Longer words are truncated, in indexed text and in queries. */
const maximumWordLength = 64

/** The scripts without spaces between words, for a character class. */
const scriptsWithoutSpaces =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}"

const asciiWordPattern = /[a-z0-9]+/g

const wordPattern = new RegExp(
  `[${scriptsWithoutSpaces}]|\\p{Extended_Pictographic}|(?:(?![${scriptsWithoutSpaces}])[\\p{L}\\p{N}\\p{Mc}])+`,
  "gu"
)

/** Matches a word of text that is not folded. */
export const rawWordPattern: RegExp = new RegExp(
  `[${scriptsWithoutSpaces}]\\p{Mn}*|\\p{Extended_Pictographic}|(?:(?![${scriptsWithoutSpaces}])[\\p{L}\\p{N}\\p{M}])+`,
  "gu"
)

const asciiPattern = /^[\0-\x7f]*$/

/** Whether text is ASCII. Folding preserves the offsets of such text. */
export const isAscii = (text: string): boolean => asciiPattern.test(text)

/** Folds case, accents and compatibility forms. */
export const foldText = (text: string): string => (isAscii(text) ? text.toLowerCase() : foldUnicode(text))

const foldUnicode = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFC")

const truncate = (word: string): string =>
  word.length <= maximumWordLength ? word : Array.from(word).slice(0, maximumWordLength).join("")

/** Matches a boundary between the words of an identifier, as in `readFile` or `HTMLElement`. */
const humpPattern = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/

const partBoundary = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

/** Names that are not searched by their parts. */
const unsplitNames = new Set(
  "javascript typescript coffeescript github gitlab gitbook openapi graphql youtube wordpress mysql postgresql nosql mongodb mariadb dynamodb linkedin paypal powershell pypi devops intellij cloudfront cloudflare oauth macos ios iphone ipad".split(
    " "
  )
)

/** Returns the parts of an identifier in camel case, of at least two characters. Other words have no parts. */
export const partsOfIdentifier = (word: string): ReadonlyArray<string> =>
  word.length > maximumWordLength || !humpPattern.test(word) || unsplitNames.has(word.toLowerCase())
    ? []
    : word.split(partBoundary).filter((part) => part.length > 1)

/** Adds the parts of identifiers in camel case after each. */
const withParts = (text: string): string =>
  humpPattern.test(text)
    ? text.replace(/[A-Za-z0-9]+/g, (word) => [word, ...partsOfIdentifier(word)].join(" "))
    : text

/** Returns the words of `text`, in order. The parts of an identifier in camel case follow it. */
export const wordsOf = (text: string): ReadonlyArray<string> => {
  const folded = foldText(withParts(text))
  return (folded.match(isAscii(folded) ? asciiWordPattern : wordPattern) ?? []).map(truncate)
}

/** Matches a word that is one character of a script without spaces. */
const singleCharacterPattern = new RegExp(`^(?:[${scriptsWithoutSpaces}]|\\p{Extended_Pictographic})$`, "u")

const segmenter = new Intl.Segmenter("ja", { granularity: "word" })

/** Matches a segment that has grammatical meaning only, such as a Japanese particle. */
const particlePattern = /^\p{Script=Hiragana}{1,2}$/u

/**
 * Splits text without spaces to words of a dictionary, and returns their characters. Particles are optional. Text with
 * a character that is in no word is not split.
 */
const segmentsOf = (run: string): ReadonlyArray<ReadonlyArray<string>> => {
  const segments = Array.from(segmenter.segment(run), ({ segment }) => Array.from(segment))
  const words = segments.filter((characters) => !particlePattern.test(characters.join("")))
  return words.length === 0 || words.some(({ length }) => length === 1) ? [Array.from(run)] : words
}

/** A word of a query: its folded words, of which there are several in a script without spaces, and its parts. */
export interface QueryWord {
  /** The folded words. */
  readonly words: ReadonlyArray<string>
  /** The folded parts of an identifier in camel case. */
  readonly parts: ReadonlyArray<string>
}

/** Returns the words of a query, in order. */
export const queryWordsOf = (text: string): ReadonlyArray<QueryWord> =>
  text.split(/\s+/u).flatMap((chunk) => {
    const found: Array<QueryWord> = []
    let run = ""
    const endRun = () => {
      found.push(...segmentsOf(run).map((words) => ({ words, parts: [] })))
      run = ""
    }
    let end = -1
    const identifiers = new Map(
      (isAscii(chunk) ? (chunk.match(/[A-Za-z0-9]+/g) ?? []) : []).map((word) => [
        truncate(word.toLowerCase()),
        partsOfIdentifier(word).map((part) => part.toLowerCase())
      ])
    )
    for (const { 0: match, index } of foldText(chunk).matchAll(wordPattern)) {
      if (run !== "" && (index !== end || !singleCharacterPattern.test(match))) endRun()
      end = index + match.length
      if (singleCharacterPattern.test(match)) run += match
      else found.push({ words: [truncate(match)], parts: identifiers.get(truncate(match)) ?? [] })
    }
    if (run !== "") endRun()
    return found
  })

/** The maximum number of cached stems. Words repeat, and stemming takes much longer than a lookup. */
const maximumCachedStems = 50_000

const stemCache = new Map<string, string>()

/** Returns the English stem of a word of ASCII letters. Other words are unchanged. */
export const stemOf = (word: string): string => {
  const cached = stemCache.get(word)
  if (cached !== undefined) return cached
  const stem = /^[a-z]+$/.test(word) ? stemmer(word) : word
  if (stemCache.size >= maximumCachedStems) stemCache.clear()
  stemCache.set(word, stem)
  return stem
}

/** The words that queries ignore unless they are quoted, or the query has no other words. */
export const stopWords: ReadonlySet<string> = new Set(
  "a about after also am an and another any are as at be been before being between by can could did do does doing during each else for from had has have how i if in into is it its just may me might must my not of on only or other our own per shall should so some such than that the their them then there these they this those to too under until very via was we were what when where whether which while who whose why will with would you your".split(
    " "
  )
)
