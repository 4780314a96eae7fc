/**
 * Text as words, the same for every store: what is written and what is looked for go through here, so that stores only
 * have to find words that are equal.
 *
 * Words are runs of letters and digits, without case, accents and the difference between forms of a character. Scripts
 * that put no spaces between words are taken character by character, and so are pictograms.
 */
import { stemmer } from "stemmer"

/** The most characters of a word: what is longer is cut off, in what is written and in what is looked for. */
const longestWord = 64

const single =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}"

const asciiPattern = /[a-z0-9]+/g

const pattern = new RegExp(
  `[${single}]|\\p{Extended_Pictographic}|(?:(?![${single}])[\\p{L}\\p{N}\\p{Mc}])+`,
  "gu"
)

const ascii = /^[\0-\x7f]*$/

/** Whether a text has the same places in it as its folded form. */
export const isAscii = (text: string): boolean => ascii.test(text)

/** A text without case, accents and compatibility forms. */
export const foldText = (text: string): string => (isAscii(text) ? text.toLowerCase() : foldAny(text))

const foldAny = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFC")

const cut = (word: string): string =>
  word.length <= longestWord ? word : Array.from(word).slice(0, longestWord).join("")

/** The words of a text, in their order. */
export const wordsOf = (text: string): ReadonlyArray<string> => {
  const folded = foldText(text)
  return (folded.match(isAscii(folded) ? asciiPattern : pattern) ?? []).map(cut)
}

/** Whether a word is one character of a script without spaces, which is looked for together with its neighbors. */
const isSingle = new RegExp(`^(?:[${single}]|\\p{Extended_Pictographic})$`, "u")

/** The runs of words that a text has between its spaces: characters that stand together belong together. */
export const runsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.split(/\s+/u).flatMap((part) => {
    const runs: Array<Array<string>> = []
    let last = -1
    for (const { 0: found, index } of foldText(part).matchAll(pattern)) {
      const word = cut(found)
      const goesOn = isSingle.test(word) && index === last && runs.length > 0
      if (goesOn && isSingle.test(runs[runs.length - 1]!.at(-1)!)) runs[runs.length - 1]!.push(word)
      else runs.push([word])
      last = index + found.length
    }
    return runs
  })

/** The stem of a word of English; other words are their own. */
export const stemOf = (word: string): string => (/^[a-z]+$/.test(word) ? stemmer(word) : word)
