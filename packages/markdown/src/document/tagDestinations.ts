/** Finds the destinations of links in tags and in HTML, with their places in the source. */
import { decodeText } from "./html/htmlTree.ts"
import { attributesIn, quotedIn, tagIn } from "./tags.ts"

/** A destination in a tag or an element. */
export interface Destination {
  /** The name of the tag or the element. */
  readonly name: string
  /** The destination, decoded. */
  readonly url: string
  /** Where the value is in the source, without its quotes. */
  readonly start: number
  readonly end: number
  /** Encodes another destination for this place. */
  readonly encode: (url: string) => string
}

/** The attributes of tags with a destination. */
const tagAttributes: Readonly<Record<string, string>> = {
  "content-ref": "url",
  "page-ref": "page",
  file: "src",
  embed: "url",
  openapi: "src",
  swagger: "src"
}

/** The attributes of elements with a destination. */
const elementAttributes: Readonly<Record<string, ReadonlySet<string>>> = {
  a: new Set(["href"]),
  img: new Set(["src"]),
  source: new Set(["src", "srcset"]),
  video: new Set(["src"]),
  audio: new Set(["src"]),
  iframe: new Set(["src"])
}

// The value is optional, so that matching a long name takes linear time.
const attributePattern = /([^\s"'<>/=]+)(?:\s*=\s*("(?:[^"\\]|\\[\s\S])*"|'[^']*'|[^\s"'=<>`]+))?/g

const elementPattern = /<([a-z][\w-]*)((?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?)>/gi

/** Removes the quotes of a value. */
const unquoted = (value: string): string => (/^["']/.test(value) ? value.slice(1, -1) : value)

const encodeInTag = (url: string): string => url.replaceAll('"', "%22").replaceAll("%}", "%25}")

const encodeInElement = (url: string): string => url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")

const destinationsOfTag = (source: string): ReadonlyArray<Destination> => {
  const tag = tagIn(source)
  if (tag === undefined || tag.closes) return []
  const { name } = tag
  if (name === "include") {
    const url = quotedIn(tag.rest)
    const at = url === undefined ? -1 : source.indexOf(url, source.indexOf("include") + 7)
    return at < 0 ? [] : [{ name, url: url!, start: at, end: at + url!.length, encode: encodeInTag }]
  }
  const attribute = name.startsWith("@")
    ? "url"
    : Object.hasOwn(tagAttributes, name)
      ? tagAttributes[name]!
      : ""
  const url = attributesIn(tag.rest)?.get(attribute)
  if (typeof url !== "string") return []
  for (const { 0: written, 1: found, 2: value, index } of source.matchAll(attributePattern)) {
    if (found !== attribute || value === undefined) continue
    const raw = unquoted(value)
    const start = index + written.length - value.length + (raw === value ? 0 : 1)
    return [{ name, url, start, end: start + raw.length, encode: encodeInTag }]
  }
  return []
}

const destinationsOfElements = (source: string): ReadonlyArray<Destination> => {
  const found: Array<Destination> = []
  for (const { 0: element, 1: written, 2: attributes, index } of source.matchAll(elementPattern)) {
    const name = written!.toLowerCase()
    const names = Object.hasOwn(elementAttributes, name) ? elementAttributes[name]! : undefined
    if (names === undefined) continue
    const offset = index + element.length - 1 - attributes!.length
    for (const { 0: pair, 1: attribute, 2: value, index } of attributes!.matchAll(attributePattern)) {
      if (value === undefined || !names.has(attribute!.toLowerCase())) continue
      const raw = unquoted(value)
      // A set of several images has several destinations, which readers see one at a time.
      if (attribute === "srcset" && /[\s,]/.test(raw)) continue
      const start = offset + index + pair.length - value.length + (raw === value ? 0 : 1)
      const url = decodeText(raw)
      found.push({ name, url, start, end: start + raw.length, encode: encodeInElement })
    }
  }
  return found
}

/** Returns the destinations in the source of an `html` node: a tag as in `{% file src="…" %}`, or HTML. */
export const destinationsIn = (source: string): ReadonlyArray<Destination> =>
  source.startsWith("{%") ? destinationsOfTag(source) : destinationsOfElements(source)
