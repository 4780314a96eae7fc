/** Parameters that lists have in common. */
import { PageQuery } from "@lectern/core/model"
import { Schema } from "effect"

/** The page of a list that is asked for. */
export const page = {
  page: PageQuery.fields.page.annotate({ description: "The page: `next.page` of the one before." }),
  limit: PageQuery.fields.limit.annotate({
    description: "The most items of the page, 0 to 1000; 50 by default."
  })
}

/** A choice in a query: `true` or `false`. */
export const flag = (description: string) => Schema.optionalKey(Schema.Boolean).annotate({ description })
