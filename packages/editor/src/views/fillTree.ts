/** Creates the elements of the display of an API from its data, in slices, so that a long one does not hold the page. */
import type { ApiTree } from "../apis/apiTree.ts"
import type { Messages } from "../messages/Messages.ts"
import { element, iconElement } from "../ui/dom.ts"
import { figureOfCode, linesOfCode } from "./codeFigure.ts"
import { renderBlocks } from "./renderBlocks.ts"

/** The maximum time of a slice, in milliseconds. A frame has 16. */
const sliceMs = 8

/** Adds the lines of code. Yields after each. */
function* addLines(into: HTMLElement, lines: Iterable<HTMLElement>): Generator<void, void> {
  for (const line of lines) {
    into.append(line)
    yield
  }
}

/** Adds nodes to an element that is displayed already. Yields after each, so that the page can continue. */
function* addTree(
  into: HTMLElement,
  nodes: ReadonlyArray<ApiTree>,
  messages: Messages
): Generator<void, void> {
  for (const node of nodes) {
    if (typeof node === "string") into.append(node)
    else if (node.kind === "chevron") into.append(iconElement("chevron-right"))
    else if (node.kind === "heading") into.append(element("h2", { class: "heading h-2" }, node.title))
    else if (node.kind === "blocks") into.append(renderBlocks(node.document))
    else if (node.kind === "code") {
      const code = element("code", {})
      into.append(figureOfCode(code, messages.nodes.code ?? ""))
      yield* addLines(code, linesOfCode(node.text, node.ranges))
    } else {
      const created = element(node.name, node.attributes)
      into.append(created)
      yield* addTree(created, node.content, messages)
    }
    yield
  }
}

/** Fills an element with a display. Ends early if `isActive` returns false. Resolves when everything is displayed. */
export const fillTree = async (
  into: HTMLElement,
  nodes: ReadonlyArray<ApiTree>,
  messages: Messages,
  isActive: () => boolean
): Promise<void> => {
  let until = performance.now() + sliceMs
  for (const _ of addTree(into, nodes, messages)) {
    if (performance.now() < until) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!isActive()) return
    until = performance.now() + sliceMs
  }
}
