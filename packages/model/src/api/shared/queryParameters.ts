/** Query parameters that several operations share. */

import * as Schema from "effect/Schema"
import { PageQuery } from "../../index.ts"

/** The parameters of paginated lists. The name shortens the declarations of all lists. */
export type PageParameters = Pick<(typeof PageQuery)["fields"], "page" | "limit">

/** The parameters of paginated lists: the cursor and the size of the page. */
export const page: PageParameters = {
  page: PageQuery.fields.page,
  limit: PageQuery.fields.limit
}

/** Declares an optional boolean parameter. */
export const flag = (description: string) => Schema.optionalKey(Schema.Boolean).annotate({ description })
