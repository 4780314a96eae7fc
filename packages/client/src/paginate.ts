/** Reads lists to their end. */

/** A page of a list, as list operations return it. */
interface ListPage<Item> {
  readonly items: ReadonlyArray<Item>
  readonly next?: { readonly page: string }
}

/**
 * Iterates over all items of a list, one page at a time. `listPage` requests a page: it passes `cursor` on as part of
 * the query.
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

/** The position in a list that the next page begins at; empty for the first page. */
export interface PageCursor {
  readonly page?: string
}
