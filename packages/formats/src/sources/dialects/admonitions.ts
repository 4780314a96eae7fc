/** Converts admonitions between colons, which Docusaurus and Outline have, and the expandable blocks of Outline. */

import { detailsBlock, hintBlock } from "../../foreign/blocks.ts"
import { codeLines, dedent, indentBy } from "../../foreign/code.ts"

/** The maximum depth of blocks. Deeper ones are text. */
const maximumDepth = 12

interface OpenBlock {
  readonly kind: string
  readonly title: string | undefined
  readonly indent: string
  readonly marker: string
  readonly lines: Array<string>
}

const opening =
  /^([ \t]*)(:{3,}|\+{3})[ \t]*([A-Za-z][\w-]*)?(?:\[([^\n]*)\])?[ \t]*(?:\{[^{}\n]*\})?[ \t]*([^\n]*)$/
const closing = /^[ \t]*(:{3,}|\+{3})[ \t]*$/

const render = ({ kind, title, indent, marker, lines }: OpenBlock): string => {
  const content = dedent(lines.join("\n"))
  const block = marker.startsWith("+")
    ? detailsBlock(title ?? "Details", content)
    : hintBlock(kind, title, content)
  return indentBy(block, indent)
}

/** Converts admonitions, and with `hasToggles` the expandable blocks between plus signs. */
export const convertAdmonitions = (text: string, hasToggles = false): string => {
  if (!text.includes(":::") && !(hasToggles && text.includes("+++"))) return text
  const source = text.split("\n")
  const isCode = codeLines(source)
  const root: Array<string> = []
  const open: Array<OpenBlock> = []
  const write = (line: string): void => {
    ;(open.at(-1)?.lines ?? root).push(line)
  }
  for (const [index, line] of source.entries()) {
    if (isCode[index] === true) {
      write(line)
      continue
    }
    const last = open.at(-1)
    const closed = closing.exec(line)?.[1]
    if (
      last !== undefined &&
      closed !== undefined &&
      closed[0] === last.marker[0] &&
      closed.length <= last.marker.length
    ) {
      open.pop()
      write(render(last))
      continue
    }
    const found = opening.exec(line)
    const isToggle = found?.[2]?.startsWith("+") === true
    const isOpening =
      found !== null &&
      open.length < maximumDepth &&
      (isToggle ? hasToggles && (found[3] ?? found[5] ?? "") !== "" : found[3] !== undefined)
    if (!isOpening) {
      write(line)
      continue
    }
    const words = isToggle ? [found[3], found[5]].filter((word) => word !== undefined).join(" ") : found[5]!
    const title = (found[4] ?? words).trim()
    open.push({
      kind: found[3] ?? "",
      title: title === "" ? undefined : title,
      indent: found[1]!,
      marker: found[2]!,
      lines: []
    })
  }
  // A block that is not closed ends with the page.
  for (let last = open.pop(); last !== undefined; last = open.pop()) write(render(last))
  return root.join("\n")
}
