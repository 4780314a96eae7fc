/** Pages of lists: what callers request, and what they receive. */
import { Schema } from "effect"

/** How many items a page has when the caller does not say. */
export const defaultLimit = 50

/** The most items that a page can have. */
export const maximumLimit = 1000

/** What a caller of a list says about pages. */
export const PageQuery = Schema.Struct({
  /** A cursor: `next.page` of the page before. */
  page: Schema.optionalKey(Schema.String),
  /** The most items of the page; 50 by default. 0 gives the count alone. */
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

/** The order of a list that can be turned round: ascending, or descending. */
export const ListOrder = Schema.Literals(["asc", "desc"])

/** A page of a list. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** The number of items in the whole list under its filter. */
  readonly count: number
  /** There while more items follow; `page` asks for them. */
  readonly next?: { readonly page: string }
}

/** The schema of a page of a list. */
export const pageOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    /** Present if more items follow. */
    next: Schema.optionalKey(
      Schema.Struct({
        /** The cursor of the next page: the value of the parameter `page`. */
        page: Schema.String
      })
    ),
    /** The number of items in the whole list, under its filter. */
    count: Schema.Int,
    /** The items of the page. */
    items: Schema.Array(item)
  })
