/** Parses HTML within limits, and resolves its links. */
import { NotReadable } from "@lectern/formats/threads"
import type { Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { parse as parse5 } from "parse5"
import { depthOf, elementsIn } from "./nodes.ts"

/** The maximum depth of the elements of a page. */
const maxDepth = 300

/** The maximum number of elements of a page. Converting each takes about 15 µs. */
const maxElements = 50_000

const tooDeep = new NotReadable({
  message: `points to a page whose elements are nested too deep: the maximum is ${maxDepth} levels`
})

const tooLarge = new NotReadable({
  message: `points to a page of more than ${maxElements} elements: import it in parts`
})

/** Parses a page. Throws `NotReadable` if it has too many elements, or they are nested too deep. */
export const parseHtml = (html: string): Root => {
  try {
    const root = fromParse5(parse5(html, { scriptingEnabled: false })) as Root
    if (depthOf(root, maxDepth) > maxDepth) throw tooDeep
    if (elementsIn(root).length > maxElements) throw tooLarge
    return root
  } catch (error) {
    // A tree of many thousand levels overflows the call stack of the parser.
    throw error instanceof RangeError ? tooDeep : error
  }
}

/** Returns a function that resolves a `href` to a URL without fragment, or `undefined` if it is not an HTTP URL. */
export const resolverFor =
  (base: string) =>
  (href: string): string | undefined => {
    if (!URL.canParse(href.trim(), base)) return undefined
    const url = new URL(href.trim(), base)
    url.hash = ""
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined
  }
