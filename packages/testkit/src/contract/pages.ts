/** Reads lists page by page. */
import { isObject, type Json } from "./Schemas.ts"
import type { Request, Wire } from "./Wire.ts"

interface Page {
  readonly items: ReadonlyArray<Json>
  readonly count: number
  readonly next?: { readonly page: string }
}

/**
 * Reads a list whole, and by pages of one to a few items: these are the same items in the same order, the count is how
 * many there are, a limit of 0 gives the count alone, and a page that there is not is refused. What was not a list of at
 * least two items is read again when the scenario asks for it the next time.
 */
export const readPages = async (wire: Wire, request: Request, tries = 20): Promise<void> => {
  const { operation } = request
  const read = async (more: { readonly page?: string; readonly limit: number }): Promise<Page> => {
    const { status, value, text } = await wire.send({ ...request, query: { ...request.query, ...more } })
    if (status === 200 && isObject(value) && Array.isArray(value.items)) return value as unknown as Page
    throw new Error(`${operation} answers a page by ${status}: ${text}`)
  }
  if (wire.coverage.isPaged(operation)) return
  const whole = await read({ limit: 1000 })
  wire.coverage.done("parameters", operation, "query.limit")
  if (whole.items.length < 2) return
  const items: Array<Json> = []
  const limit = Math.max(1, Math.floor(whole.items.length / 3))
  for (let next: Page["next"] | undefined = { page: "" }; next !== undefined; ) {
    const page: Page = await read({ limit, ...(next.page === "" ? {} : { page: next.page }) })
    items.push(...page.items)
    if (page.items.length > limit) wire.report(operation, `answers ${page.items.length} items of ${limit}`)
    if (page.count !== whole.count) wire.report(operation, "counts a page otherwise than the whole list")
    next = page.next
  }
  if (JSON.stringify(items) !== JSON.stringify(whole.items)) {
    // Where the server works in the background, the list may have changed meanwhile.
    const after = await read({ limit: 1000 })
    const hasChanged = JSON.stringify(after.items) !== JSON.stringify(whole.items)
    if (hasChanged && tries > 1) return readPages(wire, request, tries - 1)
    wire.report(operation, "is another list page by page than at once")
  }
  if (whole.count !== whole.items.length) {
    wire.report(operation, `counts ${whole.count} items where there are ${whole.items.length}`)
  }
  const none = await read({ limit: 0 })
  if (none.items.length > 0 || none.count !== whole.count) {
    wire.report(operation, "answers a limit of 0 by more than the count")
  }
  const wrong = await wire.send({ ...request, query: { ...request.query, page: "no-page" } })
  if (wrong.status !== 400) wire.report(operation, `answers a page that there is not by ${wrong.status}`)
  wire.coverage.paged(operation)
}
