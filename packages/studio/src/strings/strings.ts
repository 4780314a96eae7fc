/**
 * Strings as data. Each area declares its strings in English, German and French; a string that a language lacks does not
 * compile. Dates and numbers are formatted by `Intl`. Browsers load only the language that is displayed.
 */
import { createStore, readStored, useStore, writeStored } from "../store/store.ts"
import { loadCatalogs } from "./catalogs.ts"

/** The languages of the application. */
export const locales = { en: "English", de: "Deutsch", fr: "Français" } as const

/** A language of the application. */
export type Locale = keyof typeof locales

/** A string with placeholders such as `{title}`, or its forms by the value of `{count}`. */
export type Text = string | { readonly one: string; readonly other: string }

type TextOf<T> = T extends string ? string : { readonly one: string; readonly other: string }

/** Strings in every language. */
export interface Strings<T extends Readonly<Record<string, Text>>> {
  readonly en: T
  readonly de: { readonly [Key in keyof T]: TextOf<T[Key]> }
  readonly fr: { readonly [Key in keyof T]: TextOf<T[Key]> }
}

/** Declares the strings of an area. */
export const defineStrings = <const T extends Readonly<Record<string, Text>>>(
  strings: Strings<T>
): Strings<T> => strings

type PlaceholdersIn<T> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never

type Placeholders<T> = T extends { readonly other: infer Other }
  ? PlaceholdersIn<Other> | "count"
  : PlaceholdersIn<T>

/** The values of the placeholders of a string; none if it has no placeholders. */
type Values<T> = [Placeholders<T>] extends [never]
  ? readonly []
  : readonly [values: { readonly [Name in Placeholders<T>]: string | number }]

/** Returns a string in the current language. */
export type Translate<T extends Readonly<Record<string, Text>>> = <Key extends keyof T>(
  key: Key,
  ...values: Values<T[Key]>
) => string

const isLocale = (value: unknown): value is Locale => typeof value === "string" && value in locales

/** Returns the first language of the browser that the application has. */
const preferredLocale = (): Locale => {
  const stored = readStored("locale")
  if (isLocale(stored)) return stored
  for (const tag of navigator.languages) {
    const language = tag.split("-")[0]
    if (isLocale(language)) return language
  }
  return "en"
}

/** The current language. */
export const localeStore = createStore<Locale>(preferredLocale())

/** Loads the strings of the current language that are in use. */
export const loadStrings = (): Promise<void> => loadCatalogs(localeStore.get())

/** Waits for a module, and for its strings. The bundle calls it for modules that are loaded on demand. */
export const withStrings = async <Module>(loading: Promise<Module>): Promise<Module> => {
  const module = await loading
  await loadStrings()
  return module
}

/** Changes the language on this device, once its strings are loaded. */
export const setLocale = async (locale: Locale): Promise<void> => {
  await loadCatalogs(locale)
  writeStored("locale", locale)
  localeStore.set(locale)
  document.documentElement.lang = locale
}

const formatText = (
  text: Text,
  values: Readonly<Record<string, string | number>>,
  locale: Locale
): string => {
  const form =
    typeof text === "string"
      ? text
      : new Intl.PluralRules(locale).select(Number(values.count)) === "one"
        ? text.one
        : text.other
  return form.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) return placeholder
    return typeof value === "number" ? new Intl.NumberFormat(locale).format(value) : value
  })
}

/** Returns a string in the current language, outside of components. */
export const translate = <T extends Readonly<Record<string, Text>>, Key extends keyof T>(
  strings: Strings<T>,
  key: Key,
  ...values: Values<T[Key]>
): string => {
  const locale = localeStore.get()
  return formatText(
    strings[locale][key] as Text,
    (values[0] ?? {}) as Readonly<Record<string, string>>,
    locale
  )
}

/** Returns a function that returns strings in the current language. The component renders again when the language changes. */
export const useStrings = <T extends Readonly<Record<string, Text>>>(strings: Strings<T>): Translate<T> => {
  const locale = useStore(localeStore)
  return (key, ...values) =>
    formatText(strings[locale][key] as Text, (values[0] ?? {}) as Readonly<Record<string, string>>, locale)
}
