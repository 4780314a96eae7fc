/** The parameters of paths, for any text, and the duration of finding a route. */
import { ContentApi } from "@lectern/client"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { makeRouteTable } from "../src/server/routeTable.ts"

const find = makeRouteTable(
  Object.values(ContentApi.endpoints)
    .filter(({ method }) => method === "GET")
    .map((endpoint) => ({ endpoint, handle: () => Effect.void }))
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

it("finds a route in a time that is proportional to the length of the path", () => {
  const fastest = (escape: string): number =>
    Math.min(
      ...Array.from({ length: 7 }, () => {
        const start = performance.now()
        find("GET", `/v1/${escape.repeat(5_000)}`)
        return performance.now() - start
      })
    )
  const reference = fastest("%2f")
  expect(fastest("%25") / reference).toBeLessThan(20)
})
