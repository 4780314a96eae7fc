/** The operations that place content among its siblings, declared once for spaces and collections. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as Schema from "effect/Schema"
import { Move, Transfer } from "../../index.ts"
import { editing, transferring } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { ChangedResource } from "../shared/requestConditions.ts"

/** Declares the operations that move and transfer the content at a path. `transferred` describes the transfer. */
export const siblingEndpoints = <
  const Kind extends "Space" | "Collection",
  const Path extends `/${string}`,
  Params extends PathParams,
  Content extends Schema.Codec<unknown, unknown>
>(
  kind: Kind,
  path: Path,
  params: Params,
  content: Content,
  transferred: string
) => {
  const what = kind.toLowerCase()
  return {
    move: HttpApiEndpoint.post(`move${kind}` as const, `${path}/move` as const, {
      params,
      payload: Move,
      success: content,
      error: editing
    })
      .annotateMerge(
        describe(
          `Move a ${what}`,
          `Moves the ${what} to another parent, to another position among its siblings, or both. The default position is the end.`
        )
      )
      .annotate(ChangedResource, path),
    transfer: HttpApiEndpoint.post(`transfer${kind}` as const, `${path}/transfer` as const, {
      params,
      payload: Transfer,
      success: content,
      error: transferring
    })
      .annotateMerge(describe(`Transfer a ${what}`, transferred))
      .annotate(ChangedResource, path)
  }
}
