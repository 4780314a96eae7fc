/** Renders images: one or two of them for the light and the dark theme, and figures with captions. */
import type { DocumentBlock, DocumentInline } from "@lectern/core"
import { type Content, classes, element, fragment, type Html } from "../html/Html.ts"
import { renderInlines } from "./inlines.ts"
import type { Renderer } from "./Renderer.ts"

/** The fields of an image that its element depends on. */
interface ImageData {
  readonly ref: DocumentInline.ImageRef
  readonly refDark?: DocumentInline.ImageRef | undefined
  readonly alt?: string | undefined
  readonly width?: unknown
  readonly height?: unknown
}

/** Returns the length of a side in pixels; `undefined` for other units. */
const pixels = (length: unknown): number | undefined => {
  if (typeof length === "number") return Math.round(length)
  const { unit, value } = (length ?? {}) as { readonly unit?: string; readonly value?: number }
  return unit === "px" && value !== undefined ? Math.round(value) : undefined
}

/** Returns the class of a length in percent, in steps of 5. The policy of the page does not permit style attributes. */
export const percentClass = (length: unknown): string | undefined => {
  const { unit, value } = (typeof length === "object" && length !== null ? length : {}) as {
    readonly unit?: string
    readonly value?: number
  }
  if (unit !== "%" || value === undefined) return undefined
  return `w-${Math.min(100, Math.max(5, Math.round(value / 5) * 5))}`
}

/** Renders an image, or its alternative text if it cannot be loaded. */
export const imageElement = (renderer: Renderer, data: ImageData, className?: string): Html => {
  const light = renderer.context.image(data.ref)
  const dark = data.refDark === undefined ? undefined : renderer.context.image(data.refDark)
  const [width, height] = [pixels(data.width), pixels(data.height)]
  const imageOf = (image: NonNullable<typeof light>, theme: string | undefined): Html => {
    // Both sides reserve the space of the image before it is loaded.
    const natural =
      image.width !== undefined && image.height !== undefined ? image.width / image.height : undefined
    const shownWidth =
      width ?? (height !== undefined && natural !== undefined ? Math.round(height * natural) : image.width)
    const shownHeight =
      height ??
      (shownWidth !== undefined && natural !== undefined ? Math.round(shownWidth / natural) : undefined)
    return element("img", {
      src: image.src,
      alt: data.alt ?? "",
      class: classes(className, percentClass(data.width), theme),
      width: shownWidth,
      height: shownHeight,
      loading: "lazy",
      decoding: "async"
    })
  }
  if (light === undefined && dark === undefined) return fragment(data.alt)
  if (light === undefined || dark === undefined) return imageOf((light ?? dark)!, undefined)
  return fragment(imageOf(light, "only-light"), imageOf(dark, "only-dark"))
}

const renderFigure = (renderer: Renderer, image: DocumentInline.Image): Html => {
  const caption = image.fragments[0]?.nodes.map(({ nodes }) => renderInlines(renderer, nodes))
  const hasCaption = caption?.some(({ text }) => text !== "") === true
  return element(
    "figure",
    {},
    imageElement(renderer, image.data),
    hasCaption &&
      element(
        "figcaption",
        {},
        caption.flatMap((line, index): Array<Content> => (index === 0 ? [line] : [" ", line]))
      )
  )
}

/** Renders a block of one or several images. */
export const renderImages = (renderer: Renderer, { data, nodes }: DocumentBlock.Images): Html =>
  element(
    "div",
    {
      class: classes(
        "images",
        `align-${data.align ?? "center"}`,
        data.fullWidth === true && "full-width",
        data.withFrame === true && "framed",
        nodes.length > 1 && "gallery"
      )
    },
    nodes.map((image) => renderFigure(renderer, image))
  )

/** Renders a drawing. */
export const renderDrawing = (renderer: Renderer, { data }: DocumentBlock.Drawing): Html | undefined =>
  data.ref === undefined
    ? undefined
    : element(
        "div",
        { class: "images align-center drawing" },
        element("figure", {}, imageElement(renderer, { ...data, ref: data.ref }))
      )
