/** Renders code: highlighted, with its title and the numbers of its lines. */
import type { Code } from "@lectern/formats/threads"
import { type Blocks, codeText } from "./blocks.ts"
import type { Frame } from "./Flow.ts"
import { bold } from "./inlines.ts"
import { type Span, type Style, toSingleLine } from "./lines.ts"
import { colors, styles } from "./theme.ts"

const padding = { x: 9, y: 6 }

/** Adds a code block. */
export const addCode = (blocks: Blocks, node: Code, frame: Frame): void => {
  const { flow, source } = blocks
  const { title, syntax, lineNumbers, markdown } = node.data
  flow.ensureHeight(40)
  if (title !== undefined && title !== "") {
    const span = { text: title, style: styles.codeTitle }
    const inner = { left: frame.left + padding.x, width: frame.width - padding.x * 2 }
    flow.structure.within("Caption", () => {
      for (const line of flow.breakLines([span], inner, styles.codeTitle)) {
        flow.addLine(
          { ...line, ascent: line.ascent + 3, descent: line.descent + 2 },
          inner.left,
          (top, height) => flow.document.rect(frame.left, top, frame.width, height).fill(colors.head)
        )
      }
    })
  }
  const language = markdown === undefined ? syntax : undefined
  const lines = source.resources.highlighter.highlight(codeText(node), language).map((parts) =>
    parts.map(({ text, color, isBold, isItalic }): Span => {
      const face = isBold === true ? bold[styles.code.face] : styles.code.face
      // DejaVu Sans Mono has no italic face: comments differ by their color.
      const style = { ...styles.code, face, ...(color === undefined ? {} : { color }) }
      return { text, style: isItalic === true ? { ...style, color: color ?? colors.quiet } : style }
    })
  )
  addCodeLines(blocks, lines, frame, lineNumbers === true)
}

/** Adds text verbatim: in a monospaced font on a shaded background, with its line breaks and whitespace. */
export const addLiteral = (blocks: Blocks, value: string, frame: Frame): void => {
  blocks.flow.ensureHeight(40)
  const lines = value.split("\n").map((text): ReadonlyArray<Span> => [{ text, style: styles.code }])
  addCodeLines(blocks, lines, frame, false)
}

const numberStyle: Style = { ...styles.code, color: colors.quiet }

const addCodeLines = (
  { flow }: Blocks,
  lines: ReadonlyArray<ReadonlyArray<Span>>,
  frame: Frame,
  hasNumbers: boolean
): void => {
  const digits = toSingleLine(flow.fonts, String(lines.length), numberStyle, 60).width
  const gutter = hasNumbers ? digits + 10 : 0
  const inner = { left: frame.left + padding.x + gutter, width: frame.width - padding.x * 2 - gutter }
  const drawShade = (top: number, height: number) =>
    flow.document.rect(frame.left, top, frame.width, height).fill(colors.shade)
  const addPadding = () => flow.addArtifact(padding.y, (top) => drawShade(top, padding.y))
  addPadding()
  flow.structure.within("Code", () => {
    for (const [index, spans] of lines.entries()) {
      for (const [part, line] of flow.breakLines(spans, inner, styles.code).entries()) {
        flow.addLine(line, inner.left, (top, height) => {
          drawShade(top, height + 0.3)
          if (!hasNumbers || part > 0) return
          const number = toSingleLine(flow.fonts, String(index + 1), numberStyle, 60)
          flow.drawArtifactLine(number, inner.left - 10 - number.width, top + line.ascent)
        })
      }
    }
  })
  addPadding()
}
