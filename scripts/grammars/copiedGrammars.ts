/** The grammars of `@shikijs/langs` in one file, compressed: the package has 11 MB in 700 files. */
import { brotliCompressSync } from "node:zlib"
import { languageAliasNames, languageNames } from "@shikijs/langs"
import type { GrammarIndex } from "../../packages/reader/src/highlight/grammars.ts"

/** A grammar of the package. */
interface Grammar {
  readonly name: string
}

/** The folder of the copies. */
export const grammarsFolder = "packages/reader/assets/grammars"

/** The JSON of each grammar by its name, and the names of the grammars of each language. */
export interface Grammars {
  readonly texts: ReadonlyMap<string, string>
  readonly languages: GrammarIndex["languages"]
}

/** Reads the grammars of the package. */
export const readPackageGrammars = async (): Promise<Grammars> => {
  const texts = new Map<string, string>()
  const languages: Record<string, ReadonlyArray<string>> = {}
  for (const language of [...new Set([...languageNames, ...languageAliasNames])].toSorted()) {
    const { default: grammars } = (await import(`@shikijs/langs/${language}`)) as {
      readonly default: ReadonlyArray<Grammar>
    }
    for (const grammar of grammars) {
      const text = JSON.stringify(grammar)
      if ((texts.get(grammar.name) ?? text) !== text)
        throw new Error(`Two grammars are named ${grammar.name}.`)
      texts.set(grammar.name, text)
    }
    languages[language] = [...new Set(grammars.map(({ name }) => name))]
  }
  return { texts, languages }
}

/** Compresses grammars to the index and the file of the copies. */
export const compressGrammars = ({
  texts,
  languages
}: Grammars): { readonly index: GrammarIndex; readonly bytes: Buffer } => {
  const places: Record<string, readonly [offset: number, length: number]> = {}
  const compressed: Array<Buffer> = []
  let offset = 0
  for (const [name, text] of texts) {
    const bytes = brotliCompressSync(text)
    compressed.push(bytes)
    places[name] = [offset, bytes.length]
    offset += bytes.length
  }
  return { index: { languages, places }, bytes: Buffer.concat(compressed) }
}
