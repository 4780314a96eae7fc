/** Extracts the text, line breaks and images of HTML in Markdown. */

/** A part of HTML: text, or an image. */
export type HtmlPart = { readonly text: string } | { readonly source: string; readonly alternative: string }

const namedEntities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0"
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return namedEntities[String(name).toLowerCase()] ?? whole
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : whole
  })

/** The start of a comment or an invisible element, or a tag. It begins with `<` and matches in linear time. */
const markup = /<!--|<(script|style|template)\b|<\/?([a-z][a-z0-9-]*)(?![a-z0-9-])([^<>]*)>/gi

/** Tags that start a new line. */
const lineTags =
  /^(br|p|div|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|hr|section|article|figure|figcaption|details|summary|blockquote|pre)$/i

const attribute = (attributes: string, name: string): string => {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes
  )
  return decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? "")
}

/** The ends of comments and invisible elements. */
const endPatterns = {
  comment: /-->/g,
  script: /<\/script[^>]*>/gi,
  style: /<\/style[^>]*>/gi,
  template: /<\/template[^>]*>/gi
}

/** Returns the index after the end of a comment or an invisible element that contains the index `from`. */
const findEnd = (html: string, from: number, kind: keyof typeof endPatterns): number => {
  const end = endPatterns[kind]
  end.lastIndex = from
  return end.exec(html) === null ? html.length : end.lastIndex
}

/** Returns the parts of HTML, in order. */
export const parseHtml = (html: string): ReadonlyArray<HtmlPart> => {
  const parts: Array<HtmlPart> = []
  const addText = (from: number, to: number) => {
    const words = decodeEntities(html.slice(from, to).replace(/[ \t]*\n\s*/g, " "))
    if (words !== "") parts.push({ text: words })
  }
  const pattern = new RegExp(markup)
  let at = 0
  for (let found = pattern.exec(html); found !== null; found = pattern.exec(html)) {
    const [whole, hidden, tag, attributes = ""] = found
    addText(at, found.index)
    at = found.index + whole.length
    if (tag === undefined)
      at = findEnd(html, at, (hidden?.toLowerCase() ?? "comment") as keyof typeof endPatterns)
    else if (/^img$/i.test(tag)) {
      const source = attribute(attributes, "src")
      if (source !== "") parts.push({ source, alternative: attribute(attributes, "alt") })
    } else if (lineTags.test(tag)) parts.push({ text: "\n" })
    else if (/^t[dh]$/i.test(tag)) parts.push({ text: " " })
    pattern.lastIndex = at
  }
  addText(at, html.length)
  return parts
}
