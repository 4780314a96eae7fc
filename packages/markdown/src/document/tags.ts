/** Reads and writes tags, as in `{% hint style="info" %}`. */
import { attributeName } from "@lectern/model/document"

/** The value of an attribute. An attribute without a value is true. */
export type AttributeValue = string | number | boolean

/** A tag. */
export interface Tag {
  /** The name without `end`. */
  readonly name: string
  /** Whether the tag closes another one. */
  readonly closes: boolean
  /** The text after the name. */
  readonly rest: string
}

const tagPattern = /^\{%-?\s*(@?[A-Za-z][\w-]*(?:\/[\w.-]+)?)(?![\w./])([\s\S]*?)-?%\}\s*$/

/** Parses the source of a tag. Returns undefined for text that is not a tag with a name. */
export const tagIn = (source: string): Tag | undefined => {
  if (!source.startsWith("{%")) return undefined
  const [, name, rest] = tagPattern.exec(source) ?? []
  if (name === undefined || rest === undefined) return undefined
  const closes = name.startsWith("end") && name !== "end"
  return { name: closes ? name.slice(3) : name, closes, rest: rest.trim() }
}

// Values with a character that would end the value or the tag have character references, like HTML.
const references: Readonly<Record<string, string>> = { quot: '"', "#10": "\n", "#37": "%", "#92": "\\" }
const referencePattern = /&((?:amp;)*)(quot|#10|#37|#92);/g

const decodeReferences = (value: string): string =>
  value.replace(referencePattern, (_, ampersands: string, name: string) =>
    ampersands === "" ? references[name]! : `&${ampersands.slice(4)}${name};`
  )

const encodeValue = (value: string): string =>
  value
    .replace(referencePattern, "&amp;$1$2;")
    .replaceAll('"', "&quot;")
    .replaceAll("%}", "&#37;}")
    .replace(/\\$/, "&#92;")
    // A container can change the spaces at the start of a line, and a tag ends before another one.
    .replace(/\n(?=[ \t>]*\{%|[ \t]*(?:\t|[ \t]\n|[ \t]$))/g, "&#10;")

const attributePattern =
  /\s*([A-Za-z_][\w.:-]*)(?:\s*=\s*("(?:[^"\\]|\\[\s\S])*"|'[^']*'|[^\s"']+))?(?=\s|$)/y

const numberPattern = /^-?\d+(?:\.\d+)?$/

const valueOf = (source: string | undefined): AttributeValue => {
  if (source === undefined || source === "true") return true
  if (source === "false") return false
  if (source.startsWith('"')) return decodeReferences(source.slice(1, -1).replaceAll('\\"', '"'))
  if (source.startsWith("'")) return decodeReferences(source.slice(1, -1))
  return numberPattern.test(source) && String(Number(source)) === source ? Number(source) : source
}

/** Parses the attributes of a tag. Returns undefined if they are malformed or repeated. */
export const attributesIn = (source: string): Map<string, AttributeValue> | undefined => {
  const attributes = new Map<string, AttributeValue>()
  for (let at = 0; at < source.length; at = attributePattern.lastIndex) {
    attributePattern.lastIndex = at
    const found = attributePattern.exec(source)
    if (found === null) return undefined
    const [, name, value] = found
    if (attributes.has(name!) || !attributeName.test(name!)) return undefined
    attributes.set(name!, valueOf(value))
  }
  return attributes
}

/** Returns the text in quotes that is the only argument of a tag. */
export const quotedIn = (source: string): string | undefined => {
  const value = /^(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*')$/.test(source) ? valueOf(source) : undefined
  return typeof value === "string" ? value : undefined
}

/** Returns the Markdown of a tag. Attributes that are undefined are omitted. */
export const tagOf = (
  name: string,
  attributes: Readonly<Record<string, AttributeValue | undefined>> = {}
): string => {
  const written = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined
      ? []
      : [` ${attribute}=${typeof value === "string" ? `"${encodeValue(value)}"` : String(value)}`]
  )
  return `{% ${name}${written.join("")} %}`
}

/** Returns the Markdown of a tag whose argument is text in quotes. */
export const quotedTagOf = (name: string, value: string): string => `{% ${name} "${encodeValue(value)}" %}`
