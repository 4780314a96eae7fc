/** Views of images, embeds and files, whose captions are text of the editor. */
import type { Node } from "prosemirror-model"
import type { NodeView, NodeViewConstructor, ViewMutationRecord } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { dataOf, type JsonObject, textField } from "../schema/attributes.ts"
import { element, iconElement } from "../ui/dom.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import { cssLength, safeSource } from "./imageSize.ts"
import { isOutsideContent } from "./isOutsideContent.ts"
import { linkCard } from "./linkCard.ts"

type Position = () => number | undefined

abstract class MediaView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM = element("figcaption")
  protected readonly media = element("div", { class: "editor-media", contenteditable: "false" })
  protected node: Node
  protected readonly context: EditorContext
  private readonly position: Position

  constructor(node: Node, context: EditorContext, position: Position, className: string) {
    this.node = node
    this.context = context
    this.position = position
    this.dom = element("figure", { class: className }, this.media, this.contentDOM)
    this.contentDOM.dataset.placeholder = context.messages.caption
    this.media.addEventListener("dblclick", () => this.open())
    this.show()
  }

  protected abstract render(): void

  private show(): void {
    this.contentDOM.classList.toggle("empty", this.node.content.size === 0)
    this.render()
  }

  protected open(): void {
    const at = this.position()
    if (at !== undefined) openSettings(this.context, at)
  }

  /** The button that is displayed until the block has a target. */
  protected placeholder(icon: string, label: string): HTMLElement {
    return element(
      "button",
      { type: "button", class: "editor-placeholder", click: () => this.open() },
      iconElement(icon),
      label
    )
  }

  protected set(data: JsonObject): void {
    const at = this.position()
    if (at === undefined) return
    const view = this.context.view()
    view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...this.node.attrs, data }))
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false
    const isChanged = !node.hasMarkup(this.node.type, this.node.attrs)
    this.node = node
    if (isChanged) this.show()
    else this.contentDOM.classList.toggle("empty", node.content.size === 0)
    return true
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return isOutsideContent(mutation, this.contentDOM)
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest("button, .editor-resize") !== null
  }
}

const minimumWidth = 40

class ImageView extends MediaView {
  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position, "editor-image")
  }

  protected render(): void {
    const { messages } = this.context
    const data = dataOf(this.node)
    const ref = (data.ref ?? { kind: "url", url: "" }) as JsonObject
    if (ref.kind === "url" && ref.url === "") {
      this.media.replaceChildren(this.placeholder("image", messages.addImage))
      return
    }
    const alt = textField(this.node, "alt") ?? ""
    const image = element("img", { alt, draggable: "false" })
    image.style.width = cssLength(data.width)
    image.style.height = cssLength(data.height)
    const handle = element("span", {
      class: "editor-resize",
      title: messages.resize,
      pointerdown: (event) => this.resize(event as PointerEvent, image)
    })
    this.media.replaceChildren(image, handle)
    this.context.resolve(ref, (found) => {
      const source = safeSource(found?.source)
      if (source === undefined)
        this.media.replaceChildren(
          this.placeholder("image", messages.missingImage(String(ref.url ?? ref.file ?? "")))
        )
      else image.src = source
    })
    image.addEventListener("error", () => image.classList.add("editor-broken"))
  }

  /** Changes the width while the pointer moves, and sets it when the pointer is released. */
  private resize(event: PointerEvent, image: HTMLImageElement): void {
    event.preventDefault()
    const start = image.getBoundingClientRect()
    const direction = getComputedStyle(this.dom).direction === "rtl" ? -1 : 1
    const controller = new AbortController()
    const { signal } = controller
    let width = start.width
    const move = ({ clientX }: PointerEvent): void => {
      width = Math.max(minimumWidth, start.width + 2 * direction * (clientX - event.clientX))
      image.style.width = `${Math.round(width)}px`
      image.style.height = ""
    }
    const end = (): void => {
      controller.abort()
      const { height: _, ...data } = dataOf(this.node)
      if (Math.round(width) !== Math.round(start.width)) this.set({ ...data, width: Math.round(width) })
    }
    window.addEventListener("pointermove", move, { signal })
    window.addEventListener("pointerup", end, { signal })
    window.addEventListener("pointercancel", end, { signal })
  }
}

class EmbedView extends MediaView {
  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position, "embed")
  }

  /** The website is not loaded while its page is edited: the reader loads it. */
  protected render(): void {
    const url = textField(this.node, "url") ?? ""
    if (url === "") {
      this.media.replaceChildren(this.placeholder("window-restore", this.context.messages.addUrl))
      return
    }
    const host = URL.canParse(url) ? new URL(url).host : url
    this.media.replaceChildren(linkCard("arrow-up-right-from-square", host, url).dom)
  }
}

/** Formats a number of bytes as the reader does. */
const formatSize = (bytes: number, language: string): string => {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const
  const exponent = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const format = {
    style: "unit",
    unit: units[exponent]!,
    unitDisplay: exponent === 0 ? "long" : "short",
    maximumFractionDigits: 1
  } as const
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** exponent)
}

class FileView extends MediaView {
  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position, "file")
  }

  protected render(): void {
    const ref = (dataOf(this.node).ref ?? { kind: "url", url: "" }) as JsonObject
    if (ref.kind === "url" && ref.url === "") {
      this.media.replaceChildren(this.placeholder("paperclip", this.context.messages.addFile))
      return
    }
    const { dom, title, detail } = linkCard("file-arrow-down", String(ref.url ?? ref.file ?? ""))
    this.media.replaceChildren(dom)
    this.context.resolve(ref, (found) => {
      if (found === undefined) return
      title.textContent = found.title
      const type = /\.([a-z\d]{1,8})$/i.exec(found.title)?.[1]?.toUpperCase()
      const size = found.bytes === undefined ? undefined : formatSize(found.bytes, this.context.language)
      detail.textContent = [size, type].filter((part) => part !== undefined).join(" · ")
    })
  }
}

/** Returns the views of images, embeds and files. */
export const mediaViews = (context: EditorContext): Readonly<Record<string, NodeViewConstructor>> => ({
  image: (node, _, position) => new ImageView(node, context, position),
  embed: (node, _, position) => new EmbedView(node, context, position),
  file: (node, _, position) => new FileView(node, context, position)
})
