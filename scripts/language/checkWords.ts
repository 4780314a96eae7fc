/** Checks that something uses each word of the project's spelling dictionary, so that it does not hide misspellings. */
import { readFileSync } from "node:fs"

const file = "project-words.txt"

/** The words of the dictionary. */
export const readWords = (): ReadonlyArray<string> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))

/** The words that occur in no file, and a problem if words are listed twice. */
export const checkWords = (words: ReadonlyArray<string>, texts: Iterable<string>): ReadonlyArray<string> => {
  const unused = new Set(words.map((word) => word.toLowerCase()))
  const problems = words.length === unused.size ? [] : [`${file}: a word is listed twice`]
  for (const text of texts) {
    if (unused.size === 0) break
    const lower = text.toLowerCase()
    for (const word of unused) if (lower.includes(word)) unused.delete(word)
  }
  return [...problems, ...[...unused].map((word) => `${file}: nothing uses "${word}"; remove it`)]
}
