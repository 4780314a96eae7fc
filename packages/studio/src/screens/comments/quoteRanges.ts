/** Highlights the words that comments quote, without changing the document, with the CSS Custom Highlight API. */

const name = "lectern-comment"

/** Whether the browser can highlight ranges. Without it, comments are displayed next to their blocks. */
const canHighlight = (): boolean => typeof Highlight === "function" && "highlights" in CSS

/** Returns the range of a quote inside of an element, or `undefined` if the element does not contain it. */
export const findRange = (element: Element, text: string): Range | undefined => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Array<{ readonly node: Text; readonly start: number }> = []
  let content = ""
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: content.length })
    content += node.nodeValue ?? ""
  }
  const start = content.indexOf(text)
  if (start < 0 || text === "") return undefined
  const end = start + text.length
  const first = nodes.findLast((entry) => entry.start <= start)!
  const last = nodes.findLast((entry) => entry.start < end)!
  const range = document.createRange()
  range.setStart(first.node, start - first.start)
  range.setEnd(last.node, end - last.start)
  return range
}

/** Highlights quotes, each inside of the element of its block. Returns a function that removes the highlights. */
export const highlightQuotes = (
  container: Element,
  quotes: ReadonlyArray<{ readonly block: string; readonly quote: string }>
): (() => void) => {
  if (!canHighlight()) return () => undefined
  const ranges = quotes.flatMap(({ block, quote }) => {
    const element = container.querySelector(`[data-block="${CSS.escape(block)}"]`)
    const range = element === null ? undefined : findRange(element, quote)
    return range === undefined ? [] : [range]
  })
  CSS.highlights.set(name, new Highlight(...ranges))
  return () => {
    CSS.highlights.delete(name)
  }
}
