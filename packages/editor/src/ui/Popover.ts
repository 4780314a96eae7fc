/** A box above the editor, next to a rectangle of the text. */
import { element } from "./dom.ts"

/** The place that a popover is next to. */
export interface Anchor {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Options of a popover. */
export interface PopoverOptions {
  readonly className: string
  readonly role?: string
  readonly label: string
  /** Whether the popover is above the anchor if there is space. */
  readonly isAbove?: boolean
  /** Called when the popover closes by Escape or by a click outside. */
  readonly onClose?: () => void
}

const gap = 6

/** A box above the editor. It closes by Escape and by a click outside. */
export class Popover {
  readonly element: HTMLElement
  private readonly overlay: HTMLElement
  private readonly options: PopoverOptions
  private anchor: () => Anchor | undefined = () => undefined
  private readonly listening = new AbortController()

  constructor(overlay: HTMLElement, options: PopoverOptions) {
    this.overlay = overlay
    this.options = options
    this.element = element("div", {
      class: `editor-popover ${options.className}`,
      role: options.role ?? "dialog",
      "aria-label": options.label
    })
    overlay.append(this.element)
    const { signal } = this.listening
    this.element.addEventListener("keydown", (event) => this.handleKey(event), { signal })
    document.addEventListener("pointerdown", (event) => this.handlePointer(event), { signal, capture: true })
    window.addEventListener("scroll", () => this.place(), { signal, capture: true, passive: true })
    window.addEventListener("resize", () => this.place(), { signal })
  }

  get isOpen(): boolean {
    return this.element.isConnected
  }

  /** Places the popover next to the anchor that the function returns, now and after scrolling. */
  placeAt(anchor: () => Anchor | undefined): void {
    this.anchor = anchor
    this.place()
  }

  /** Removes the popover. */
  close(): void {
    if (!this.isOpen) return
    this.listening.abort()
    this.element.remove()
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return
    event.preventDefault()
    event.stopPropagation()
    this.close()
    this.options.onClose?.()
  }

  private handlePointer(event: PointerEvent): void {
    if (event.composedPath().includes(this.element)) return
    if (this.options.onClose === undefined) return
    this.close()
    this.options.onClose()
  }

  private place(): void {
    const anchor = this.anchor()
    if (anchor === undefined) return
    const { width, height } = this.element.getBoundingClientRect()
    const [windowWidth, windowHeight] = [document.documentElement.clientWidth, window.innerHeight]
    const isRtl = getComputedStyle(this.overlay).direction === "rtl"
    const start = isRtl ? anchor.right - width : anchor.left
    const left = Math.max(gap, Math.min(start, windowWidth - width - gap))
    const hasSpaceAbove = anchor.top - height - gap > 0
    const hasSpaceBelow = anchor.bottom + height + gap < windowHeight
    const isAbove = this.options.isAbove === true ? hasSpaceAbove : !hasSpaceBelow && hasSpaceAbove
    const top = isAbove ? anchor.top - height - gap : anchor.bottom + gap
    this.element.style.left = `${Math.round(left)}px`
    this.element.style.top = `${Math.round(Math.max(gap, Math.min(top, windowHeight - height - gap)))}px`
  }
}
