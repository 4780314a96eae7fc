/** Renders tables that are displayed as cards: boxes with a cover, next to each other. */
import type { CardsView, ContentRef, Table, TableRecord } from "@lectern/formats/threads"
import type { Blocks } from "./blocks.ts"
import { Cells, fileRef, rowsOf } from "./cells.ts"
import { type Frame, pageHeight } from "./Flow.ts"
import type { Link, PdfImage, Style } from "./lines.ts"
import { colors, space, styles } from "./theme.ts"

const cardGap = 12
const cardPadding = 10

/** The maximum height of a cover, per point of its width. */
const coverRatio = 0.56

/** The minimum width of a card. */
const minCardWidth = 110

/** One card: what it displays, and its target. */
interface Card {
  readonly record: TableRecord
  readonly cover: PdfImage | undefined
  readonly link: Link | undefined
}

/** Adds the cards of a table in rows. */
export const addCards = (blocks: Blocks, table: Table, frame: Frame): void => {
  const view = table.data.view as CardsView
  const perRow = Math.max(
    1,
    Math.min(
      view.cardSize === "large" ? 2 : 3,
      Math.floor((frame.width + cardGap) / (minCardWidth + cardGap))
    )
  )
  const width = (frame.width - cardGap * (perRow - 1)) / perRow
  const painter = new CardPainter(blocks, table, view)
  const cards = rowsOf(table).map((record) => painter.cardOf(record))
  blocks.flow.structure.within("L", () => {
    for (let from = 0; from < cards.length; from += perRow) {
      if (from > 0) blocks.flow.addGap(cardGap)
      const frames = Array.from({ length: perRow }, (_, index) => ({
        left: frame.left + index * (width + cardGap),
        width
      }))
      painter.addRow(cards.slice(from, from + perRow), frames, frame)
    }
  })
}

class CardPainter {
  private readonly blocks: Blocks
  private readonly table: Table
  private readonly view: CardsView
  private readonly cells: Cells

  constructor(blocks: Blocks, table: Table, view: CardsView) {
    this.blocks = blocks
    this.table = table
    this.view = view
    this.cells = new Cells(blocks, table)
  }

  cardOf(record: TableRecord): Card {
    const { source } = this.blocks
    const cover = refIn(record, this.view.coverDefinition)
    const target = refIn(record, this.view.targetDefinition)
    return {
      record,
      cover: cover === undefined ? undefined : source.image(cover),
      link: target === undefined ? undefined : source.link(target)
    }
  }

  /** Adds a row of cards, or one card below the other if they are higher than a page. */
  addRow(cards: ReadonlyArray<Card>, frames: ReadonlyArray<Frame>, whole: Frame): void {
    const { flow } = this.blocks
    const heights = cards.map((card, index) => flow.measure(() => this.addContent(card, frames[index]!)))
    const height = Math.max(...heights)
    if (height > pageHeight) {
      for (const card of cards) {
        this.addContent(card, whole)
        flow.addGap(cardGap)
      }
      return
    }
    const drawBorders = (top: number) => {
      for (const index of cards.keys()) {
        const { left, width } = frames[index]!
        flow.document.roundedRect(left, top, width, height, 5).lineWidth(0.75).stroke(colors.bar)
      }
    }
    flow.addUnbroken(height, drawBorders, () => {
      const top = flow.y
      for (const [index, card] of cards.entries()) {
        flow.y = top
        this.addContent(card, frames[index]!)
      }
    })
  }

  /** Adds the cover and the values of a card. Titles of columns are omitted if the view hides them. */
  private addContent({ record, cover, link }: Card, frame: Frame): void {
    const { flow } = this.blocks
    flow.structure.within("LI", () =>
      flow.structure.within("LBody", () => {
        if (cover !== undefined) this.addCover(cover, frame)
        flow.y += cardPadding
        const inner = { left: frame.left + cardPadding, width: frame.width - cardPadding * 2 }
        let isFirst = true
        for (const id of this.view.columns) {
          const column = this.table.data.definition[id]
          if (column === undefined || id === this.view.targetDefinition || id === this.view.coverDefinition)
            continue
          if (id === this.view.coverDefinitionDark) continue
          const base: Style = isFirst ? { ...styles.label, size: 10 } : styles.cell
          const style: Style =
            link === undefined ? base : { ...base, link, ...(isFirst ? { color: colors.link } : {}) }
          const spans = this.cells.value(column, record, style)
          if (spans.length === 0) continue
          if (!isFirst) flow.addGap(space.item)
          isFirst = false
          this.blocks.addParagraph(spans, inner, base)
        }
        if (isFirst && link !== undefined) {
          const ref = refIn(record, this.view.targetDefinition)!
          const text = this.blocks.source.nameOf(ref)
          this.blocks.addParagraph(
            [{ text, style: { ...styles.label, color: colors.link, link } }],
            inner,
            styles.label
          )
        }
        flow.y += cardPadding
      })
    )
  }

  /** Adds a cover, which fills the width of the card; the rest of the image is clipped. */
  private addCover(cover: PdfImage, { left, width }: Frame): void {
    const { flow } = this.blocks
    const natural = (cover.height / cover.width) * width
    const height = Math.min(natural, width * coverRatio)
    flow.addArtifact(height, (top) => {
      const { document } = flow
      document.save()
      document.roundedRect(left, top, width, height + 5, 5).clip()
      document.rect(left, top, width, height).clip()
      document.image(cover.source as Buffer, left, top - (natural - height) / 2, { width, height: natural })
      document.restore()
    })
  }
}

/** Returns the reference in a column of a row: the value itself, or that of an image. */
const refIn = ({ values }: TableRecord, column: string | undefined): ContentRef | undefined => {
  const value = column === undefined ? undefined : values[column]
  if (Array.isArray(value)) return value[0] === undefined ? undefined : fileRef(value[0] as string)
  if (typeof value !== "object" || value === null) return undefined
  if ("kind" in value) return value
  return "ref" in value ? value.ref : undefined
}
