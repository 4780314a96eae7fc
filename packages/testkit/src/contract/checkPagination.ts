/** Checks the pagination of lists. */
import type { ContractClient, Request } from "./ContractClient.ts"
import { isObject, type Json } from "./Schemas.ts"

interface Page {
  readonly items: ReadonlyArray<Json>
  readonly count: number
  readonly next?: { readonly page: string }
}

/**
 * Checks the pagination of a list: its pages contain the same items in the same order as the whole list, `count` is
 * their number, a limit of 0 returns only the count, and an invalid cursor is rejected. If the list has fewer than two
 * items, it is checked again on the next call. `attempts` is how often the check is repeated if the list changes
 * between two requests.
 */
export const checkPagination = async (
  client: ContractClient,
  request: Request,
  attempts = 20
): Promise<void> => {
  const { operation } = request
  const read = async (more: { readonly page?: string; readonly limit: number }): Promise<Page> => {
    const { status, value, text } = await client.send({ ...request, query: { ...request.query, ...more } })
    if (status === 200 && isObject(value) && Array.isArray(value.items)) return value as unknown as Page
    throw new Error(`${operation} returned ${status} for a page, expected 200: ${text}`)
  }
  if (client.coverage.isPaginationChecked(operation)) return
  const whole = await read({ limit: 1000 })
  client.coverage.record("parameters", operation, "query.limit")
  if (whole.items.length < 2) return
  const items: Array<Json> = []
  const limit = Math.max(1, Math.floor(whole.items.length / 3))
  for (let next: Page["next"] | undefined = { page: "" }; next !== undefined; ) {
    const page: Page = await read({ limit, ...(next.page === "" ? {} : { page: next.page }) })
    items.push(...page.items)
    if (page.items.length > limit)
      client.report(operation, `returned ${page.items.length} items for a limit of ${limit}`)
    if (page.count !== whole.count)
      client.report(operation, "returned another count on a page than for the whole list")
    next = page.next
  }
  if (JSON.stringify(items) !== JSON.stringify(whole.items)) {
    // Background jobs of the server may have changed the list in between.
    const after = await read({ limit: 1000 })
    const hasChanged = JSON.stringify(after.items) !== JSON.stringify(whole.items)
    if (hasChanged && attempts > 1) return checkPagination(client, request, attempts - 1)
    client.report(operation, "returned other items page by page than on a single page")
  }
  if (whole.count !== whole.items.length) {
    client.report(operation, `returned a count of ${whole.count} for ${whole.items.length} items`)
  }
  const none = await read({ limit: 0 })
  if (none.items.length > 0 || none.count !== whole.count) {
    client.report(operation, "returned items or another count for a limit of 0")
  }
  const wrong = await client.send({ ...request, query: { ...request.query, page: "no-page" } })
  if (wrong.status !== 400)
    client.report(operation, `returned ${wrong.status} for an invalid cursor, expected 400`)
  client.coverage.recordPagination(operation)
}
