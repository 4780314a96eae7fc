/** What can be read of HTML in markdown: its text, its line breaks and its pictures. */

/** A part of HTML: text, or a picture. */
export type HtmlPart = { readonly text: string } | { readonly source: string; readonly alternative: string }

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" }

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : whole
  })

/** A comment, what no reader sees, or a tag. Each begins at a `<`, and takes one look forward. */
const markup = /<!--|<(script|style|template)\b|<\/?([a-z][a-z0-9-]*)(?![a-z0-9-])([^<>]*)>/gi

/** Tags that begin a line. */
const lines =
  /^(br|p|div|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|hr|section|article|figure|figcaption|details|summary|blockquote|pre)$/i

const attribute = (attributes: string, name: string): string => {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes
  )
  return decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? "")
}

/** What ends a comment, or an element whose text nobody sees. */
const ends = {
  comment: /-->/g,
  script: /<\/script[^>]*>/gi,
  style: /<\/style[^>]*>/gi,
  template: /<\/template[^>]*>/gi
}

/** Where that ends which is not seen, from somewhere in it on. */
const endOf = (html: string, from: number, what: keyof typeof ends): number => {
  const end = ends[what]
  end.lastIndex = from
  return end.exec(html) === null ? html.length : end.lastIndex
}

/** The parts of HTML, in their order. */
export const partsOf = (html: string): ReadonlyArray<HtmlPart> => {
  const parts: Array<HtmlPart> = []
  const text = (from: number, to: number) => {
    const words = decoded(html.slice(from, to).replace(/[ \t]*\n\s*/g, " "))
    if (words !== "") parts.push({ text: words })
  }
  const pattern = new RegExp(markup)
  let at = 0
  for (let found = pattern.exec(html); found !== null; found = pattern.exec(html)) {
    const [whole, hidden, tag, attributes = ""] = found
    text(at, found.index)
    at = found.index + whole.length
    if (tag === undefined) at = endOf(html, at, (hidden?.toLowerCase() ?? "comment") as keyof typeof ends)
    else if (/^img$/i.test(tag)) {
      const source = attribute(attributes, "src")
      if (source !== "") parts.push({ source, alternative: attribute(attributes, "alt") })
    } else if (lines.test(tag)) parts.push({ text: "\n" })
    else if (/^t[dh]$/i.test(tag)) parts.push({ text: " " })
    pattern.lastIndex = at
  }
  text(at, html.length)
  return parts
}
