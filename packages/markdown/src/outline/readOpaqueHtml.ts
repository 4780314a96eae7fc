/** Reads HTML that no block represents: its words, the targets of its elements, and its anchors. */
import { decodeText } from "../document/html/htmlTree.ts"
import { refOfImage, refOfLink } from "../document/linkReferences.ts"
import type { Reference } from "./Reference.ts"

/** The visible words of HTML, and the references and ids of its elements. */
export interface OpaqueHtml {
  readonly words: string
  readonly references: ReadonlyArray<Reference["ref"]>
  /** The ids of elements, which links can refer to. */
  readonly anchors: ReadonlyArray<string>
}

/** Matches a tag. A tag cannot contain `<`, so that matching takes linear time. */
const tagPattern = /<(?:[^<>"']|"[^"]*"|'[^']*')*>/g

const namePattern = /^<([a-z][\w-]*)/i

const attributePattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** The elements whose `src` or `srcset` refers to a resource that readers see. */
const embeddingElements = new Set(["img", "source", "video", "audio", "iframe", "embed"])

const closers: Readonly<Record<string, string>> = {
  "<!--": "-->",
  "<script": "</script>",
  "<style": "</style>"
}

/** Removes comments, scripts and styles. Unclosed ones remain. */
const removeInvisible = (html: string): string => {
  const lowercase = html.toLowerCase()
  // Some characters have a longer lowercase form, which would shift the positions.
  if (lowercase.length !== html.length || !/<(?:!--|script|style)/.test(lowercase)) return html
  const unclosed = new Set<string>()
  let [visible, from] = ["", 0]
  for (const { 0: opener, index } of lowercase.matchAll(/<!--|<script\b|<style\b/g)) {
    if (index < from || unclosed.has(opener)) continue
    const end = lowercase.indexOf(closers[opener]!, index)
    if (end < 0) {
      unclosed.add(opener)
      continue
    }
    visible += `${html.slice(from, index)} `
    from = end + closers[opener]!.length
  }
  return visible + html.slice(from)
}

/** Reads HTML, or a part of it. It never fails, and takes linear time. */
export const readOpaqueHtml = (html: string): OpaqueHtml => {
  const references: Array<Reference["ref"]> = []
  const anchors: Array<string> = []
  const words = removeInvisible(html).replace(tagPattern, (tag) => {
    const name = namePattern.exec(tag)?.[1]?.toLowerCase()
    if (name === undefined) return " "
    for (const [, attribute, double, single, bare] of tag.slice(1 + name.length).matchAll(attributePattern)) {
      const value = decodeText((double ?? single ?? bare ?? "").trim())
      if (value === "") continue
      switch (attribute!.toLowerCase()) {
        case "href":
          if (name === "a" || name === "area") references.push(refOfLink(value))
          break
        case "src":
          if (embeddingElements.has(name)) references.push(refOfImage(value))
          break
        case "srcset":
          if (embeddingElements.has(name)) references.push(refOfImage(value.split(/[\s,]/, 1)[0]!))
          break
        case "id":
          anchors.push(value)
          break
        case "name":
          if (name === "a") anchors.push(value)
          break
      }
    }
    return " "
  })
  return { words: decodeText(words), references, anchors }
}

/** Returns the ids of the elements of HTML, or of a part of it, which links can refer to. */
export const anchorsInHtml = (html: string): ReadonlyArray<string> =>
  /\b(?:id|name)\b/i.test(html) ? readOpaqueHtml(html).anchors : []
