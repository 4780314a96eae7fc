/** The grammars of languages, compressed copies from `@shikijs/langs`: `npm run grammars` writes them. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"
import type { LanguageRegistration } from "@shikijs/core"

/** The contents of the file of all grammars. */
export interface GrammarIndex {
  /** The grammars that a language consists of, by its name and by its aliases. */
  readonly languages: Readonly<Record<string, ReadonlyArray<string>>>
  /** The place of each grammar in the file, in bytes. */
  readonly places: Readonly<Record<string, readonly [offset: number, length: number]>>
}

const folder = new URL("../../assets/grammars/", import.meta.url)

let loaded: GrammarIndex | undefined

const readIndex = (): GrammarIndex => {
  loaded ??= JSON.parse(readFileSync(new URL("index.json", folder), "utf8")) as GrammarIndex
  return loaded
}

/** Returns whether a language has a grammar. */
export const hasGrammar = (language: string): boolean => Object.hasOwn(readIndex().languages, language)

/** Reads the grammars of a language that has one: first the grammars of the languages that it embeds. */
export const readGrammars = (language: string): Array<LanguageRegistration> => {
  const { languages, places } = readIndex()
  const file = openSync(new URL("grammars.br", folder), "r")
  try {
    return languages[language]!.map((name) => {
      const [offset, length] = places[name]!
      const bytes = new Uint8Array(length)
      readSync(file, bytes, 0, length, offset)
      return JSON.parse(brotliDecompressSync(bytes).toString("utf8")) as LanguageRegistration
    })
  } finally {
    closeSync(file)
  }
}
