/** Renders scripts of sites: replaces placeholders, and derives what pages load and which origins they need. */
import type { ScriptOrigins, ScriptSource } from "./SiteScript.ts"
import { scriptTemplates, type TemplateField } from "./scriptTemplates.ts"

type Values = Readonly<Record<string, string>>

const placeholder = /\{\{(\w+)\}\}/g

const placeholdersIn = (template: string): ReadonlyArray<string> =>
  Array.from(template.matchAll(placeholder), ([, name]) => name!)

/**
 * Returns a string literal of JavaScript, which also ends neither a `script` element nor a line: `<`, `>`, `&` and the separators of
 * lines are escaped.
 */
export const toScriptLiteral = (value: string): string =>
  JSON.stringify(value).replace(
    /[<>&'\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const fill = (template: string, values: Values, escape: (value: string) => string): string =>
  template.replace(placeholder, (_, name: string) => escape(Object.hasOwn(values, name) ? values[name]! : ""))

/** The content that pages load for a script: text that is served as a file of the site, and then a URL. */
export interface ScriptContent {
  /** The text, with its placeholders replaced; absent without one. */
  readonly text?: string
  /** The URL, with its placeholders replaced; absent without one. */
  readonly url?: string
  /** The origins that pages may use for it. */
  readonly origins: Required<ScriptOrigins>
}

/** The parts of a source before its placeholders are replaced. */
interface SourceParts {
  readonly url: string | undefined
  readonly text: string | undefined
  readonly origins: ScriptOrigins
  /** The values that a known service requires. */
  readonly fields: ReadonlyArray<TemplateField> | undefined
}

const partsOf = (source: ScriptSource): SourceParts => {
  switch (source.type) {
    case "url":
      return { url: source.url, text: undefined, origins: {}, fields: undefined }
    case "text":
      return { url: undefined, text: source.text, origins: {}, fields: undefined }
    case "template": {
      const { url, text, origins, fields } = scriptTemplates[source.template]
      return { url, text, origins, fields }
    }
  }
}

const isValid = ({ pattern }: TemplateField, value: string): boolean =>
  new RegExp(`^(?:${pattern})$`).test(value)

/** Returns the problem of the values of a source, with the path of the field; undefined if they are valid. */
export const scriptProblem = (
  source: ScriptSource
): { readonly path: string; readonly message: string } | undefined => {
  const { url = "", text = "", fields } = partsOf(source)
  const values = source.values ?? {}
  const required = new Set(fields?.map(({ name }) => name) ?? placeholdersIn(`${url} ${text}`))
  for (const name of required) {
    if (!Object.hasOwn(values, name)) {
      return { path: "source.values", message: `must have a value for the placeholder ${name}` }
    }
  }
  const unknown = Object.keys(values).find((name) => !required.has(name))
  if (unknown !== undefined) {
    return { path: "source.values", message: `must not have the value ${unknown}, which no placeholder has` }
  }
  const invalid = fields?.find((one) => !isValid(one, values[one.name]!))
  return invalid === undefined
    ? undefined
    : {
        path: `source.values.${invalid.name}`,
        message: `must match ${invalid.pattern}, as in ${invalid.example}`
      }
}

const merged = (...lists: ReadonlyArray<ReadonlyArray<string> | undefined>): ReadonlyArray<string> =>
  [...new Set(lists.flatMap((list) => list ?? []))].sort()

/** Returns what pages load for a script with valid values. */
export const scriptContent = (source: ScriptSource, origins: ScriptOrigins): ScriptContent => {
  const { url, text, origins: own } = partsOf(source)
  const values = source.values ?? {}
  const loaded = url === undefined ? undefined : fill(url, values, encodeURIComponent)
  return {
    ...(text === undefined ? {} : { text: fill(text, values, toScriptLiteral) }),
    ...(loaded === undefined ? {} : { url: loaded }),
    origins: {
      scripts: merged(loaded === undefined ? [] : [new URL(loaded).origin], own.scripts, origins.scripts),
      connections: merged(own.connections, origins.connections),
      frames: merged(own.frames, origins.frames),
      styles: merged(own.styles, origins.styles)
    }
  }
}

/** Returns the origins of several scripts. */
export const mergeOrigins = (all: ReadonlyArray<ScriptOrigins>): Required<ScriptOrigins> => ({
  scripts: merged(...all.map(({ scripts }) => scripts)),
  connections: merged(...all.map(({ connections }) => connections)),
  frames: merged(...all.map(({ frames }) => frames)),
  styles: merged(...all.map(({ styles }) => styles))
})

const directives = [
  ["script-src", "scripts"],
  ["connect-src", "connections"],
  ["frame-src", "frames"],
  ["style-src", "styles"]
] as const

/** Returns the directives of a policy that permit these origins; an empty string without any. */
export const policyOfOrigins = (origins: ScriptOrigins): string =>
  directives
    .flatMap(([directive, kind]) => {
      const listed = origins[kind] ?? []
      return listed.length === 0 ? [] : [`${directive} ${listed.join(" ")}`]
    })
    .join("; ")

/** Returns a policy that also permits these origins. The policy has each of the directives. */
export const extendPolicy = (policy: string, origins: ScriptOrigins): string =>
  policy
    .split("; ")
    .map((entry) => {
      const found = directives.find(([directive]) => entry === directive || entry.startsWith(`${directive} `))
      const added = found === undefined ? [] : (origins[found[1]] ?? [])
      return added.length === 0 ? entry : `${entry} ${added.join(" ")}`
    })
    .join("; ")
