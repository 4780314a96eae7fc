/** Reads values of configurations of other tools, whose types are unknown. */

import { frontMatterPattern, parseYamlMapping } from "@lectern/markdown/frontMatter"
import { Composer, isMap } from "yaml"
import { BoundedParser } from "../../openapi/yamlNesting.ts"

/** The values of a mapping. */
export type Values = Readonly<Record<string, unknown>>

/** Whether a value is a mapping. */
export const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a value as a mapping; an empty one for other values. */
export const valuesOf = (value: unknown): Values => (isValues(value) ? value : {})

/** Returns a value as a list; an empty one for other values. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns text that is not blank, on one line. Numbers are text, because YAML has titles such as 2024. */
export const textOf = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value : ""
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line === "" ? undefined : line
}

/** The maximum size of the front matter of a page, in characters. */
const maximumFrontMatter = 64 * 1024

/** Splits a page into the values of its front matter, and its text. */
export const splitFrontMatter = (text: string): { readonly values: Values; readonly body: string } => {
  const found = frontMatterPattern.exec(text)
  if (found === null || found[0].length > maximumFrontMatter) return { values: {}, body: text }
  return { values: parseYamlMapping(found[1] ?? "") ?? {}, body: text.slice(found[0].length) }
}

/** The values of the front matter of a page, and its title: its own, or that of its first heading. */
export interface PageHead {
  readonly values: Values
  readonly title: string | undefined
}

/** Reads the values and the title of a page at the beginning of its text. */
export const readHead = (text = ""): PageHead => {
  const { values, body } = splitFrontMatter(text)
  return { values, title: textOf(values.title) ?? headingOf(body) }
}

/** Returns the text of the first heading of level 1 at the start of a page, after the imports of MDX. */
export const headingOf = (body: string): string | undefined => {
  for (const line of body.split("\n", 100)) {
    if (/^(?:import|export)\b/.test(line) || line.trim() === "") continue
    const title = /^#[ \t]+(.{1,1000})/.exec(line)?.[1]
    return textOf(title?.replace(/[ \t]\{#[\w-]+\}[ \t]*$/, "").replaceAll(/[*`]|<[^<>]*>/g, ""))
  }
  return undefined
}

/** Parses YAML with the custom tags that configurations use for functions, whose values are text here. */
export const parseConfiguration = (text: string): Values => {
  const composer = new Composer({ logLevel: "silent", uniqueKeys: false })
  try {
    for (const document of composer.compose(new BoundedParser().parse(text))) {
      // An unknown tag is a warning.
      if (document.errors.length > 0 || !isMap(document.contents)) return {}
      return valuesOf(document.toJS({ maxAliasCount: 100 }))
    }
  } catch {
    // Configurations that cannot be parsed have no values.
  }
  return {}
}
