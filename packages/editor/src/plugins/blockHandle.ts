/** The handle next to the block at the pointer: adds a block, opens the menu of the block, and moves it by dragging. */
import { NodeSelection, Plugin, Selection, TextSelection } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { blockAround, currentBlock, type PlacedBlock } from "../commands/blocks.ts"
import type { EditorContext } from "../context.ts"
import { schema } from "../schema/schema.ts"
import { openBlockMenu } from "../ui/BlockMenu.ts"
import { element, iconButton } from "../ui/dom.ts"
import { openSettings } from "../ui/SettingsForm.ts"

/** The distance of the handle from the text, in pixels. */
const inset = 6

class Handle {
  private readonly view: EditorView
  private readonly context: EditorContext
  private readonly dom: HTMLElement
  private block: PlacedBlock | undefined
  private frame = 0
  private readonly listening = new AbortController()

  constructor(view: EditorView, context: EditorContext) {
    this.view = view
    this.context = context
    const { messages, root } = context
    const { signal } = this.listening
    const add = iconButton("plus", messages.addBlock, () => this.add())
    const grip = iconButton("grip-vertical", messages.blockMenu, () => this.menu(grip), {
      draggable: "true",
      class: "editor-icon-button editor-grip"
    })
    grip.addEventListener("dragstart", (event) => this.drag(event))
    grip.addEventListener("dragend", () => view.dom.classList.remove("dragging"))
    this.dom = element("div", { class: "editor-handle", hidden: true, contenteditable: "false" }, add, grip)
    for (const button of this.dom.querySelectorAll("button")) button.tabIndex = -1
    root.append(this.dom)
    root.addEventListener("pointermove", (event) => this.schedule(event), { signal, passive: true })
    root.addEventListener("pointerleave", () => this.hide(), { signal })
    view.dom.addEventListener("keydown", () => this.hide(), { signal })
  }

  destroy(): void {
    this.listening.abort()
    cancelAnimationFrame(this.frame)
    this.dom.remove()
  }

  hide(): void {
    this.dom.hidden = true
  }

  private schedule(event: PointerEvent): void {
    if (event.buttons !== 0 || !this.view.editable) return
    if (event.target instanceof Node && this.dom.contains(event.target)) return
    cancelAnimationFrame(this.frame)
    this.frame = requestAnimationFrame(() => this.show(event.clientX, event.clientY))
  }

  /** Finds the block at the height of the pointer, also if the pointer is in the margin. */
  private show(x: number, y: number): void {
    const bounds = this.view.dom.getBoundingClientRect()
    const style = getComputedStyle(this.view.dom)
    const [left, right] = [
      bounds.left + Number.parseFloat(style.paddingLeft),
      bounds.right - Number.parseFloat(style.paddingRight)
    ]
    const found = this.view.posAtCoords({ left: Math.max(left + 2, Math.min(x, right - 2)), top: y })
    if (found === null) {
      this.hide()
      return
    }
    const { doc } = this.view.state
    const inside = found.inside >= 0 ? doc.nodeAt(found.inside) : null
    const $position = doc.resolve(found.inside >= 0 && inside?.isAtom === true ? found.inside : found.pos)
    const block =
      inside?.isBlock === true && inside.isAtom
        ? { node: inside, position: found.inside, parent: $position.parent, index: $position.index() }
        : blockAround($position)
    const dom = block === undefined ? null : this.view.nodeDOM(block.position)
    if (block === undefined || !(dom instanceof HTMLElement)) {
      this.hide()
      return
    }
    this.block = block
    this.place(dom)
  }

  private place(dom: HTMLElement): void {
    const rect = dom.getBoundingClientRect()
    const root = this.context.root.getBoundingClientRect()
    const line = Number.parseFloat(getComputedStyle(dom).lineHeight) || 28
    this.dom.hidden = false
    const isRtl = getComputedStyle(this.context.root).direction === "rtl"
    // A margin that is too narrow for both buttons has the one for the menu, which adds blocks, too.
    this.dom.classList.remove("narrow")
    const gutter = Number.parseFloat(getComputedStyle(this.view.dom).paddingInlineStart)
    this.dom.classList.toggle("narrow", this.dom.getBoundingClientRect().width + inset > gutter)
    const { width, height } = this.dom.getBoundingClientRect()
    const top = rect.top - root.top + Math.max(0, (Math.min(line, rect.height) - height) / 2)
    // The handle of a block in another one is in the margin of the text, where it covers no controls. Columns have their own.
    const frame = dom.closest(".column") === null ? this.view.dom : dom
    const edges = frame.getBoundingClientRect()
    const style = getComputedStyle(frame)
    const [start, end] = [
      edges.left + Number.parseFloat(style.paddingLeft),
      edges.right - Number.parseFloat(style.paddingRight)
    ]
    const left = isRtl ? end - root.left + inset : start - root.left - width - inset
    this.dom.style.top = `${Math.round(top)}px`
    this.dom.style.left = `${Math.round(Math.max(0, Math.min(left, root.width - width)))}px`
  }

  private add(): void {
    const { block, view } = this
    if (block === undefined) return
    const isEmpty = block.node.type === schema.nodes.paragraph && block.node.content.size === 0
    const isPart = !block.node.type.isInGroup("block")
    const transaction = view.state.tr
    if (isEmpty) transaction.setSelection(TextSelection.create(transaction.doc, block.position + 1))
    else if (isPart) {
      transaction.setSelection(
        Selection.near(transaction.doc.resolve(block.position + block.node.nodeSize - 1), -1)
      )
    } else {
      const end = block.position + block.node.nodeSize
      transaction.insert(end, schema.nodes.paragraph!.create())
      transaction.setSelection(TextSelection.create(transaction.doc, end + 1))
    }
    view.dispatch(transaction.scrollIntoView())
    if (!isPart) view.dispatch(view.state.tr.insertText("/"))
    view.focus()
    this.hide()
  }

  private menu(grip: HTMLElement): void {
    const { block, view } = this
    if (block === undefined) return
    const inside = block.node.isAtom
      ? NodeSelection.create(view.state.doc, block.position)
      : Selection.near(view.state.doc.resolve(block.position + 1))
    if (
      view.state.selection.from < block.position ||
      view.state.selection.to > block.position + block.node.nodeSize
    )
      view.dispatch(view.state.tr.setSelection(inside))
    const rect = grip.getBoundingClientRect()
    openBlockMenu(this.context, block.position, () => rect)
  }

  private drag(event: DragEvent): void {
    const { block, view } = this
    if (block === undefined || event.dataTransfer === null || !NodeSelection.isSelectable(block.node)) return
    const selection = NodeSelection.create(view.state.doc, block.position)
    view.dispatch(view.state.tr.setSelection(selection))
    const slice = selection.content()
    const { dom, text } = view.serializeForClipboard(slice)
    event.dataTransfer.clearData()
    event.dataTransfer.setData("text/html", dom.innerHTML)
    event.dataTransfer.setData("text/plain", text)
    event.dataTransfer.effectAllowed = "copyMove"
    const element = view.nodeDOM(block.position)
    if (element instanceof HTMLElement) event.dataTransfer.setDragImage(element, 0, 0)
    view.dragging = { slice, move: true }
    view.dom.classList.add("dragging")
  }
}

/** Creates the plugin of the handle. Alt+Enter opens the menu of the current block, and Enter the settings of a selected inline node. */
export const blockHandle = (context: EditorContext): Plugin =>
  new Plugin({
    props: {
      handleKeyDown: (view, event) => {
        const { selection } = view.state
        const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
        if (
          event.key === "Enter" &&
          !hasModifier &&
          selection instanceof NodeSelection &&
          selection.node.isInline
        ) {
          openSettings(context, selection.from)
          return true
        }
        if (event.key !== "Enter" || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
          return false
        const block = currentBlock(view.state)
        const dom = block === undefined ? null : view.nodeDOM(block.position)
        if (block === undefined || !(dom instanceof HTMLElement)) return false
        openBlockMenu(context, block.position, () => dom.getBoundingClientRect())
        return true
      }
    },
    view: (view) => {
      const handle = new Handle(view, context)
      return { destroy: () => handle.destroy() }
    }
  })
