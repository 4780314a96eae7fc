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

/** Returns the words of `text`, in order. */
export const wordsOf = (text: string): ReadonlyArray<string> => {
  const folded = foldText(text)
  return (folded.match(isAscii(folded) ? asciiWordPattern : wordPattern) ?? []).map(truncate)
}

/** Matches a word that is one character of a script without spaces. Queries search for adjacent ones as a phrase. */
const isSingleCharacterWord = new RegExp(`^(?:[${scriptsWithoutSpaces}]|\\p{Extended_Pictographic})$`, "u")

/**
 * Returns the words of a query, grouped: adjacent single-character words form a phrase; every other word is a group of
 * its own.
 */
export const runsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.split(/\s+/u).flatMap((part) => {
    const runs: Array<Array<string>> = []
    let last = -1
    for (const { 0: found, index } of foldText(part).matchAll(wordPattern)) {
      const word = truncate(found)
      const isAdjacent = isSingleCharacterWord.test(word) && index === last && runs.length > 0
      if (isAdjacent && isSingleCharacterWord.test(runs[runs.length - 1]!.at(-1)!))
        runs[runs.length - 1]!.push(word)
      else runs.push([word])
      last = index + found.length
    }
    return runs
  })

/** Returns the English stem of a word of ASCII letters. Other words are unchanged. */
export const stemOf = (word: string): string => (/^[a-z]+$/.test(word) ? stemmer(word) : word)
