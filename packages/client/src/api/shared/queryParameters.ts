/** Query parameters that several operations share. */
import { PageQuery } from "@lectern/core/model"
import { Schema } from "effect"

/** The parameters of paginated lists: the cursor and the size of the page. */
export const page = {
  page: PageQuery.fields.page,
  limit: PageQuery.fields.limit
}

/** Declares an optional boolean parameter. */
export const flag = (description: string) => Schema.optionalKey(Schema.Boolean).annotate({ description })
