/** Iterates over lists of the API, page by page. */

/** A page of a list, which list operations return. */
interface ListPage<Item> {
  readonly items: ReadonlyArray<Item>
  readonly next?: { readonly page: string }
}

/**
 * Iterates over all items of a list. `listPage` requests a page, with `cursor` as part of its query; it is called for the next
 * page once the items of the previous page are consumed. Rejects with the errors of `listPage`.
 *
 * @example
 * const pages = (cursor: PageCursor) =>
 *   client.spaces.listSpacesInOrganizationById({ params: { organizationId }, query: { limit: 200, ...cursor } })
 * for await (const space of paginate(pages)) console.log(space.title)
 */
export const paginate = async function* <Item>(
  listPage: (cursor: PageCursor) => Promise<ListPage<Item>>
): AsyncGenerator<Item, void, undefined> {
  let cursor: PageCursor = {}
  for (;;) {
    const { items, next } = await listPage(cursor)
    yield* items
    if (next === undefined) return
    cursor = { page: next.page }
  }
}

/** The cursor of a page: empty for the first, and the `next` of the previous page for all others. */
export interface PageCursor {
  /** The query parameter `page`. */
  readonly page?: string
}
