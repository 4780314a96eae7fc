/** The operations on the ordered items of a site, declared once for sections, section groups and spaces. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type * as Schema from "effect/Schema"
import { created } from "../shared/created.ts"
import { editing } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { ChangedResource } from "../shared/requestConditions.ts"
import { site, structurePath } from "./siteParameters.ts"

/** A schema of a body. */
type Body = Schema.Codec<unknown, unknown>

/** The differences between the kinds of items: their schemas, and the descriptions of the operations. */
interface Items<
  Params extends PathParams,
  Item extends Body,
  Add extends Body,
  Update extends Body,
  Move extends Body
> {
  /** The parameters of the path of an item. */
  readonly params: Params
  readonly item: Item
  readonly add: { readonly payload: Add; readonly title: string; readonly description: string }
  readonly remove: { readonly title: string; readonly description: string }
  readonly update: { readonly payload: Update; readonly title: string; readonly description: string }
  readonly move: { readonly payload: Move; readonly title: string; readonly description: string }
}

/** Declares the operations that change the items at a path. Their ids, and the parameter for an item, have its kind. */
export const siteItems = <
  const Kind extends "Section" | "SectionGroup" | "Space",
  const Path extends `/${string}`,
  Params extends PathParams,
  Item extends Body,
  Add extends Body,
  Update extends Body,
  Move extends Body
>(
  kind: Kind,
  path: Path,
  { params, item, add, remove, update, move }: Items<Params, Item, Add, Update, Move>
) => {
  const itemPath = `${path}/:site${kind}Id` as const
  return {
    add: HttpApiEndpoint.post(`add${kind}ToSite` as const, path, {
      params: site,
      payload: add.payload,
      success: created(item),
      error: editing
    })
      .annotateMerge(describe(add.title, add.description))
      .annotate(ChangedResource, structurePath),
    remove: HttpApiEndpoint.delete(`deleteSite${kind}ById` as const, itemPath, {
      params,
      success: HttpApiSchema.Empty(205),
      error: editing
    })
      .annotateMerge(describe(remove.title, remove.description))
      .annotate(ChangedResource, structurePath),
    update: HttpApiEndpoint.patch(`updateSite${kind}ById` as const, itemPath, {
      params,
      payload: update.payload,
      success: item,
      error: editing
    })
      .annotateMerge(describe(update.title, update.description))
      .annotate(ChangedResource, structurePath),
    move: HttpApiEndpoint.post(`moveSite${kind}` as const, `${itemPath}/move` as const, {
      params,
      payload: move.payload,
      success: item,
      error: editing
    })
      .annotateMerge(describe(move.title, move.description))
      .annotate(ChangedResource, structurePath)
  }
}
