import { runs } from "@lectern/harness"
import fc from "fast-check"
import { expect, expectTypeOf, it } from "vitest"
import { compareSpecificity, fillPath, matchPath, type Params } from "../src/router/paths.ts"

const patterns = [
  "/",
  "/search",
  "/spaces/:space/*page",
  "/spaces/:space/changes",
  "/spaces/:space/changes/:number/*page",
  "/spaces/:space/changes/:number/review"
] as const

it("types the parameters of a pattern", () => {
  expectTypeOf<Params<"/spaces/:space/changes/:number/*page">>().toEqualTypeOf<{
    readonly space: string
    readonly number: string
    readonly page: string
  }>()
})

it("matches the path that a pattern and its parameters were filled to", () => {
  const segment = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.includes("/"))
  fc.assert(
    fc.property(segment, segment, fc.array(segment), (space, number, rest) => {
      for (const pattern of patterns) {
        const params = { space, number, page: rest.join("/") }
        const path = fillPath(pattern as "/spaces/:space/changes/:number/*page", params)
        const matched = matchPath(pattern, path)
        const expected = Object.fromEntries(
          Object.entries(params).filter(([name]) => new RegExp(`[:*]${name}`).test(pattern))
        )
        expect(matched).toEqual(expected)
      }
    }),
    runs(200)
  )
})

it("prefers literal segments to parameters, and a rest last", () => {
  expect([...patterns].sort(compareSpecificity)).toEqual([
    "/spaces/:space/changes/:number/review",
    "/spaces/:space/changes/:number/*page",
    "/spaces/:space/changes",
    "/spaces/:space/*page",
    "/search",
    "/"
  ])
})

it("does not match a malformed escape or another length", () => {
  expect(matchPath("/spaces/:space/*page", "/spaces/%E0%A4%A")).toBeUndefined()
  expect(matchPath("/spaces/:space/*page", "/spaces/1/%")).toBeUndefined()
  expect(matchPath("/search", "/search/more")).toBeUndefined()
  expect(matchPath("/spaces/:space/changes", "/spaces")).toBeUndefined()
})
