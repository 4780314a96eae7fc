/** Renders images as blocks, with their captions and sizes. */
import type { Image, ImageRef, Images } from "@lectern/formats/threads"
import type { Blocks } from "./blocks.ts"
import { alignedShift, type Frame } from "./Flow.ts"
import { toPoints } from "./inlines.ts"
import type { Span } from "./lines.ts"
import { colors, styles } from "./theme.ts"

/** Adds the images of a block, next to each other if they fit, each with its caption below. */
export const addFigures = (blocks: Blocks, node: Images, frame: Frame): void => {
  const { align, withFrame } = node.data
  const [single] = node.nodes
  if (node.nodes.length === 1 && single !== undefined) {
    addFigure(blocks, single, frame, align ?? "left", withFrame === true)
    return
  }
  if (node.nodes.every(({ fragments }) => fragments.length === 0)) {
    const spans = node.nodes.flatMap(
      (image): ReadonlyArray<Span> => [...imageSpans(blocks, image, frame), { text: " ", style: styles.body }]
    )
    blocks.addParagraph(spans, frame, styles.body)
    return
  }
  for (const image of node.nodes) addFigure(blocks, image, frame, align ?? "left", withFrame === true)
}

/** Adds an image of a file, for example a drawing. */
export const addFileImage = (blocks: Blocks, ref: ImageRef, alternative: string, frame: Frame): void => {
  const spans: Array<Span> = []
  blocks.inlines.addImage(ref, alternative, styles.body, spans)
  blocks.addParagraph(spans, frame, styles.body)
}

const imageSpans = (blocks: Blocks, { data, fragments }: Image, frame: Frame): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  const width = toPoints(data.width, frame.width)
  const height = toPoints(data.height, frame.width)
  blocks.inlines.addImage(data.ref, data.alt ?? captionText(fragments), styles.body, spans, {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height })
  })
  return spans
}

const captionText = (fragments: Image["fragments"]): string =>
  fragments
    .flatMap(({ nodes }) => nodes.flatMap(({ nodes }) => nodes))
    .map((node) => (node.object === "text" ? node.leaves.map(({ text }) => text).join("") : ""))
    .join("")

const addFigure = (
  blocks: Blocks,
  image: Image,
  frame: Frame,
  align: "left" | "center" | "right",
  withFrame: boolean
): void => {
  const { flow } = blocks
  flow.structure.within("Div", () => {
    for (const line of flow.breakLines(imageSpans(blocks, image, frame), frame, styles.body)) {
      const left = frame.left + alignedShift(line, frame.width, align)
      const drawFrame = (top: number) => {
        const { width, ascent } = line
        flow.document
          .rect(left, top + 2, width, ascent - 2)
          .lineWidth(0.75)
          .stroke(colors.bar)
      }
      // The image covers the inner half of the line of its frame.
      flow.addLine({ ...line, descent: 3 }, left, withFrame ? drawFrame : undefined)
    }
    for (const caption of image.fragments) {
      for (const { nodes } of caption.nodes) {
        const spans = blocks.inlines.toSpans(nodes, styles.caption)
        flow.structure.within("Caption", () => flow.addText(spans, frame, styles.caption, align))
      }
    }
  })
}
