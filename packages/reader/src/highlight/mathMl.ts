/** Checks MathML of the formula typesetter before it becomes part of a page: only listed elements and attributes pass. */

const elements = new Set(
  `math annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder
  mover munderover mmultiscripts mprescripts none mtable mtr mtd menclose semantics`.split(/\s+/)
)

const attributes = new Set(
  `accent accentunder columnalign columnlines columnspacing columnspan depth dir display displaystyle encoding fence form
  frame height linethickness lspace mathcolor mathbackground mathsize mathvariant maxsize minsize movablelimits notation
  rowalign rowlines rowspacing rowspan rspace scriptlevel separator stretchy symmetric voffset width class`.split(
    /\s+/
  )
)

const tag = /<(\/?)([a-z]+)((?:\s+[a-zA-Z-]+="[^"<>]*")*)\s*(\/?)>/y
const text = /[^<>]+/y
const attribute = /\s+([a-zA-Z-]+)="([^"]*)"/g

/** Lengths and colors that the typesetter expresses as styles, as attributes of MathML. */
const attributesOfStyle = (style: string): string => {
  const color = /(?:^|;)\s*color:\s*(#[0-9a-fA-F]{3,8}|[a-z]{3,20})\s*(?:;|$)/.exec(style)?.[1]
  return color === undefined ? "" : ` mathcolor="${color}"`
}

/**
 * Returns the MathML without attributes that are not listed, such as `style`. Returns `undefined` if it contains an element
 * that is not listed, or anything that is not well-formed.
 */
export const sanitizeMathMl = (source: string): string | undefined => {
  let result = ""
  const open: Array<string> = []
  let position = 0
  while (position < source.length) {
    text.lastIndex = position
    const plain = text.exec(source)?.[0]
    if (plain !== undefined) {
      result += plain
      position += plain.length
      continue
    }
    tag.lastIndex = position
    const found = tag.exec(source)
    if (found === null) return undefined
    const [whole, closes, name = "", rest = "", isEmpty] = found
    if (!elements.has(name)) return undefined
    position += whole.length
    if (closes === "/") {
      if (open.pop() !== name) return undefined
      result += `</${name}>`
      continue
    }
    let kept = ""
    for (const [, attributeName = "", value = ""] of rest.matchAll(attribute)) {
      if (attributeName === "style") kept += attributesOfStyle(value)
      else if (attributes.has(attributeName)) kept += ` ${attributeName}="${value}"`
    }
    result += `<${name}${kept}>`
    if (isEmpty === "/") result += `</${name}>`
    else open.push(name)
  }
  return open.length === 0 && result.startsWith("<math") ? result : undefined
}
