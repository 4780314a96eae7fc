/** Parameters that lists have in common. */
import { PageQuery } from "@lectern/core/model"
import { Schema } from "effect"

/** The page of a list that is asked for. */
export const page = {
  page: PageQuery.fields.page,
  limit: PageQuery.fields.limit
}

/** A choice in a query: `true` or `false`. */
export const flag = (description: string) => Schema.optionalKey(Schema.Boolean).annotate({ description })
