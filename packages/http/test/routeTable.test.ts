/** The parameters of paths, for any text. */
import { ContentApi } from "@lectern/client"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { ServedOperation } from "../src/handlers/shared/Handlers.ts"
import { makeRouteTable } from "../src/server/routeTable.ts"

/** Handlers, which finding a route does not call. */
const unused: Omit<ServedOperation, "endpoint"> = {
  handle: () => Effect.void,
  execute: () => Effect.void,
  respond: () => Effect.void,
  authorize: () => Effect.void,
  authorizeAgain: () => Effect.void,
  definition: {
    kind: "query",
    name: "unused",
    parameters: [],
    isAudited: false,
    rule: { kind: "visitor", why: "it is not called" }
  }
}

const find = makeRouteTable(
  Object.values((ContentApi as unknown as HttpApiGroup.Top).endpoints)
    .filter(({ method }) => method === "GET")
    .map((endpoint) => ({ ...unused, endpoint }))
)

const paramsOf = (url: string) => {
  const match = find("GET", url)
  return match._tag === "Found" ? match.params : undefined
}

/** Text with many percent signs, semicolons, slashes and escapes. */
const part = fc
  .array(fc.oneof(fc.constantFrom("%", "%25", "%2F", ";", "/", "?", "#"), fc.string({ unit: "binary" })), {
    minLength: 1,
    maxLength: 20
  })
  .map((parts) => parts.join(""))
  .filter((text) => text !== "" && text.isWellFormed())

it("decodes each parameter of a path once", () => {
  fc.assert(
    fc.property(part, part, (spaceId, pageId) => {
      const url = `/v1/spaces/${encodeURIComponent(spaceId)}/content/page/${encodeURIComponent(pageId)}`
      expect(paramsOf(`${url}?format=%25;a`)).toEqual({ spaceId, pageId })
    }),
    runs(200)
  )
})
