/** Renders blocks that contain blocks: hints, tabs, steppers, columns, expandable blocks, conditions, changelogs. */
import type { Columns, Expandable, Hint, If, Stepper, Tabs, Updates } from "@lectern/formats/threads"
import type { Blocks } from "./blocks.ts"
import { type Frame, inset, pageHeight } from "./Flow.ts"
import { hintIcons } from "./icons.ts"
import { toPoints } from "./inlines.ts"
import { type Span, type Style, toSingleLine } from "./lines.ts"
import { colors, hintColors, space, styles } from "./theme.ts"

/** A block that contains blocks. */
type Container = Hint | Tabs | Stepper | Columns | Expandable | If | Updates

/** Adds a block that contains blocks. */
export const addContainer = (blocks: Blocks, node: Container, frame: Frame, style: Style): void => {
  switch (node.type) {
    case "hint":
      addHint(blocks, node, frame, style)
      return
    case "tabs":
      addTabs(blocks, node, frame, style)
      return
    case "stepper":
      addStepper(blocks, node, frame, style)
      return
    case "columns":
      addColumns(blocks, node, frame, style)
      return
    case "expandable":
      addExpandable(blocks, node, frame, style)
      return
    case "if":
      blocks.addBlocks(node.nodes, frame, style)
      return
    case "updates":
      addUpdates(blocks, node, frame, style)
  }
}

/** The look of a box. `accent` is the color of a bar at its left. */
export interface BoxLook {
  readonly fill?: string
  readonly stroke?: string
  readonly accent?: string
}

const boxPadding = 9

/**
 * Adds content in a box. A box that fits on a page has rounded corners and is not split across pages; a longer one
 * draws its background with each of its blocks.
 */
export const addBox = (blocks: Blocks, frame: Frame, look: BoxLook, addContent: () => void): void => {
  const { flow } = blocks
  const { document } = flow
  const addPadded = () => {
    flow.y += boxPadding
    addContent()
    flow.y += boxPadding
  }
  const height = flow.measure(addPadded)
  const isLong = height > pageHeight || (height > flow.remainingHeight && height > pageHeight / 3)
  if (!isLong || flow.isMeasuring) {
    const draw = (top: number) => {
      document.roundedRect(frame.left, top, frame.width, height, 4)
      if (look.fill !== undefined) document.fill(look.fill)
      if (look.stroke !== undefined) {
        document.roundedRect(frame.left, top, frame.width, height, 4).lineWidth(0.75).stroke(look.stroke)
      }
      if (look.accent !== undefined) document.rect(frame.left, top, 2.5, height).fill(look.accent)
    }
    flow.addUnbroken(height, draw, addPadded)
    return
  }
  const drawPart = (top: number, part: number) => {
    if (look.fill !== undefined) document.rect(frame.left, top, frame.width, part + 0.3).fill(look.fill)
    if (look.stroke !== undefined) {
      document.rect(frame.left, top, 0.75, part + 0.3).fill(look.stroke)
      document.rect(frame.left + frame.width - 0.75, top, 0.75, part + 0.3).fill(look.stroke)
    }
    if (look.accent !== undefined) document.rect(frame.left, top, 2.5, part + 0.3).fill(look.accent)
  }
  flow.withDecoration(drawPart, () => {
    flow.addBlock(boxPadding, () => undefined)
    addContent()
    flow.addBlock(Math.min(boxPadding, Math.max(0.1, flow.remainingHeight)), () => undefined)
  })
}

/** Returns the frame of the content of a box. */
export const boxContent = (frame: Frame, left = 12): Frame => ({
  left: frame.left + left,
  width: Math.max(1, frame.width - left - 12)
})

const addHint = (blocks: Blocks, node: Hint, frame: Frame, style: Style): void => {
  const { fill, accent } = hintColors[node.data.style] ?? hintColors.info!
  const inner = boxContent(frame, 32)
  const icon =
    blocks.inlines.icon(node.data.icon ?? "", { ...style, size: 12, color: accent })[0] ??
    blocks.inlines.icon(hintIcons[node.data.style] ?? "", { ...style, size: 12, color: accent })[0]
  const name = node.data.style[0]!.toUpperCase() + node.data.style.slice(1)
  blocks.flow.structure.within("Sect", () => {
    addBox(blocks, frame, { fill, accent }, () => {
      if (icon !== undefined && "graphic" in icon) {
        // Screen readers read the style of the hint, which is otherwise only a color.
        const named = { ...icon, graphic: { ...icon.graphic, alternative: name } }
        const [line] = blocks.flow.breakLines([named], inner, style)
        blocks.flow.addMark(line!, frame.left + 12)
      }
      blocks.addBlocks(node.nodes, inner, { ...style, color: colors.text })
      blocks.flow.flushMarkers(style)
    })
  })
}

const addTabs = (blocks: Blocks, node: Tabs, frame: Frame, style: Style): void => {
  const { flow } = blocks
  const inner = inset(frame, 12)
  const bar = (top: number, height: number) =>
    flow.document.rect(frame.left, top, 0.75, height).fill(colors.bar)
  for (const [index, tab] of node.nodes.entries()) {
    if (index > 0) flow.addGap(space.block)
    flow.ensureHeight(50)
    flow.structure.within("Sect", () =>
      flow.withDecoration(bar, () => {
        addLabel(blocks, tab.data.title ?? `Tab ${index + 1}`, tab.data.icon, inner)
        flow.addGap(space.block * 0.6)
        blocks.addBlocks(tab.nodes, inner, style)
      })
    )
  }
}

/** Adds the title of a part of a block, as a paragraph with an icon. */
const addLabel = (blocks: Blocks, title: string, icon: string | undefined, frame: Frame): void => {
  const spans: ReadonlyArray<Span> = [
    ...(icon === undefined ? [] : withSpace(blocks.inlines.icon(icon, styles.label))),
    { text: title, style: { ...styles.label, background: colors.head } }
  ]
  blocks.addParagraph(spans, frame, styles.label)
}

const withSpace = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> =>
  spans.length === 0 ? [] : [...spans, { text: "\u00a0\u00a0", style: styles.label }]

const addStepper = (blocks: Blocks, node: Stepper, frame: Frame, style: Style): void => {
  const { flow } = blocks
  const inner = inset(frame, 30)
  const rail = (top: number, height: number) =>
    flow.document.rect(frame.left + 9.6, top, 0.8, height).fill(colors.bar)
  flow.structure.within("L", () => {
    for (const [index, step] of node.nodes.entries()) {
      if (index > 0) flow.withDecoration(rail, () => flow.addGap(space.block * 1.2))
      flow.ensureHeight(50)
      flow.structure.within("LI", () => {
        const number = { ...styles.label, size: 9.5, color: colors.link }
        const line = toSingleLine(flow.fonts, String(index + 1), number, 40)
        const addStep = () =>
          flow.structure.within("LBody", () => {
            blocks.addBlocks(step.nodes, inner, style)
            flow.flushMarkers(style)
          })
        flow.addMarker(line, frame.left + 10 - line.width / 2, (base) => {
          const middle = base - 3.4
          flow.document.circle(frame.left + 10, middle, 9).fill(hintColors.info!.fill)
        })
        flow.withDecoration(rail, addStep)
      })
    }
  })
}

/** The space between columns, and the minimum width of adjacent columns. */
const columnGap = 18
const minColumnWidth = 96

const addColumns = (blocks: Blocks, node: Columns, frame: Frame, style: Style): void => {
  const { flow } = blocks
  const frames = columnFrames(node, frame)
  const heights = frames?.map((column, index) =>
    flow.measure(() => blocks.addBlocks(node.nodes[index]!.nodes, column, style))
  )
  const height = Math.max(0, ...(heights ?? []))
  if (frames === undefined || heights === undefined || height > pageHeight) {
    for (const [index, column] of node.nodes.entries()) {
      if (index > 0) flow.addGap(space.block)
      blocks.addBlocks(column.nodes, frame, style)
    }
    return
  }
  flow.addUnbroken(
    height,
    () => undefined,
    () => {
      const top = flow.y
      for (const [index, column] of node.nodes.entries()) {
        const spare = height - heights[index]!
        const { verticalAlignment: align } = column.data
        flow.y = top + (align === "middle" ? spare / 2 : align === "bottom" ? spare : 0)
        flow.structure.within("Div", () => blocks.addBlocks(column.nodes, frames[index]!, style))
      }
    }
  )
}

/** Returns the frames of adjacent columns, or `undefined` if they are too narrow. */
const columnFrames = ({ nodes }: Columns, frame: Frame): ReadonlyArray<Frame> | undefined => {
  const available = frame.width - columnGap * (nodes.length - 1)
  if (nodes.length === 0 || available / nodes.length < minColumnWidth) return undefined
  const requested = nodes.map(({ data }) => toPoints(data.width, available))
  const fixed = requested.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const open = requested.filter((width) => width === undefined).length
  const share = open === 0 ? 0 : Math.max(minColumnWidth, (available - fixed) / open)
  const widths = requested.map((width) => width ?? share)
  const total = widths.reduce((sum, width) => sum + width, 0)
  let left = frame.left
  const frames = widths.map((width) => {
    const column = { left, width: (width / total) * available }
    left += column.width + columnGap
    return column
  })
  return frames.every(({ width }) => width >= minColumnWidth * 0.75) ? frames : undefined
}

const addExpandable = (blocks: Blocks, node: Expandable, frame: Frame, style: Style): void => {
  const { flow } = blocks
  flow.structure.within("Sect", () => {
    addBox(blocks, frame, { stroke: colors.bar }, () => {
      const inner = boxContent(frame)
      for (const fragment of node.fragments) {
        if (fragment.type === "expandable-title") {
          const spans = fragment.nodes.flatMap((title) => blocks.inlines.toSpans(title.nodes, styles.label))
          const caret = blocks.inlines.icon("chevron-down", { ...styles.label, size: 8, color: colors.quiet })
          blocks.addParagraph([...withSpace(caret), ...spans], inner, styles.label)
        } else if (fragment.nodes.length > 0) {
          flow.addGap(space.block * 0.7)
          blocks.addBlocks(fragment.nodes, inner, style)
        }
      }
    })
  })
}

const addUpdates = (blocks: Blocks, node: Updates, frame: Frame, style: Style): void => {
  const { flow } = blocks
  for (const [index, update] of node.nodes.entries()) {
    if (index > 0) flow.addGap(space.heading)
    flow.ensureHeight(50)
    flow.structure.within("Sect", () => {
      const { date, tags = [] } = update.data
      const spans: ReadonlyArray<Span> = [
        ...(date === undefined ? [] : [{ text: date, style: styles.label }]),
        ...tags.flatMap(
          (tag): ReadonlyArray<Span> => [
            { text: "  ", style: styles.label },
            { text: `\u00a0${tag}\u00a0`, style: { ...styles.caption, background: colors.head } }
          ]
        )
      ]
      if (spans.length > 0) {
        blocks.addParagraph(spans, frame, styles.label)
        flow.addGap(space.block * 0.6)
      }
      blocks.addBlocks(update.nodes, frame, style)
    })
  }
}
