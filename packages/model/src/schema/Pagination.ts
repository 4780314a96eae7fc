/** The pagination of lists: the parameters of a request, and the page in the response. */
import * as Schema from "effect/Schema"

/** The default number of items per page. */
export const defaultLimit = 50

/** The maximum number of items per page. */
export const maximumLimit = 1000

/** The pagination parameters of a list. */
export const PageQuery = Schema.Struct({
  /** A cursor: the value of `next.page` of the previous page. */
  page: Schema.optionalKey(Schema.String),
  /** The maximum number of items: 0 to 1000, 50 by default. 0 returns the count only. */
  limit: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween(
        { minimum: 0, maximum: maximumLimit },
        { message: `must be a whole number from 0 to ${maximumLimit}` }
      )
    )
  )
})
export type PageQuery = typeof PageQuery.Type

/** The direction of a list: ascending or descending. */
export const ListOrder = Schema.Literals(["asc", "desc"])

/** A page of a list. */
export interface Page<A> {
  /** The items of the page. */
  readonly items: ReadonlyArray<A>
  /** The number of items in the whole list, under its filter. */
  readonly count: number
  /** Present if more items follow. `page` is the cursor of the next page. */
  readonly next?: { readonly page: string }
}

/** Present if more items follow. */
const next = Schema.optionalKey(
  Schema.Struct({
    /** The cursor of the next page: the value of the parameter `page`. */
    page: Schema.String
  })
)

/** The schema of a page of a list. It is an interface so that declarations of the API stay short. */
export interface PageSchema<Item extends Schema.Top>
  extends Schema.Struct<{
    readonly next: typeof next
    readonly count: Schema.Int
    readonly items: Schema.$Array<Item>
  }> {}

/** Creates the schema of a page of a list. */
export const pageOf = <S extends Schema.Top>(item: S): PageSchema<S> =>
  Schema.Struct({
    /** Present if more items follow. */
    next,
    /** The number of items in the whole list, under its filter. */
    count: Schema.Int,
    /** The items of the page. */
    items: Schema.Array(item)
  })
