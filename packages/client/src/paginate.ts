/** Iterates over lists of the API, page by page. */

/** A page of a list, which list operations return. */
export interface ListPage<out Item> {
  /** Present if more items follow. */
  readonly next?: {
    /** The cursor of the next page: the value of the parameter `page`. */
    readonly page: string
  }
  /** The number of items in the whole list, under its filter. */
  readonly count: number
  /** The items of the page. */
  readonly items: ReadonlyArray<Item>
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
  listPage: (cursor: PageCursor) => Promise<Pick<ListPage<Item>, "items" | "next">>
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
