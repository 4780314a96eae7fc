/**
 * The strings of an area in one language are a catalog, which is loaded when the language is displayed. The bundle replaces
 * `defineStrings` by strings of a catalog; without the bundle, such as in tests, the strings contain all languages.
 */
import type { Locale, Text } from "./strings.ts"

type Texts = Readonly<Record<string, Text>>

/** The module of a catalog in a language: the text of each of its strings. */
interface CatalogModule {
  readonly default: Readonly<Record<string, Texts>>
}

/** Loads a language. Its result is cached unless it fails. */
type LoadLanguage = (locale: Locale) => Promise<void>

const loaders: Array<LoadLanguage> = []

/** Creates a catalog, and returns the function that returns its strings by their name. */
export const createCatalog = (modules: Readonly<Record<Locale, () => Promise<CatalogModule>>>) => {
  const texts: { [Language in Locale]?: CatalogModule["default"] } = {}
  const loading = new Map<Locale, Promise<void>>()
  loaders.push((locale) => {
    const known = loading.get(locale)
    if (known !== undefined) return known
    const promise = modules[locale]().then(
      (module) => {
        texts[locale] = module.default
      },
      (cause: unknown) => {
        loading.delete(locale)
        throw cause
      }
    )
    loading.set(locale, promise)
    return promise
  })
  return (name: string): Readonly<Record<Locale, Texts | undefined>> => ({
    get en() {
      return texts.en?.[name]
    },
    get de() {
      return texts.de?.[name]
    },
    get fr() {
      return texts.fr?.[name]
    }
  })
}

/** Loads a language of all catalogs in use, also of catalogs that come into use before it completes. */
export const loadCatalogs = async (locale: Locale): Promise<void> => {
  let count: number
  do {
    count = loaders.length
    await Promise.all(loaders.map((load) => load(locale)))
  } while (count < loaders.length)
}
