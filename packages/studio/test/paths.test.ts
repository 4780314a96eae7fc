import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { runs } from "@lectern/harness"
import fc from "fast-check"
import { expect, expectTypeOf, it } from "vitest"
import { livePagePath, pagePath } from "../src/router/pagePaths.ts"
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

const sourceFolder = fileURLToPath(new URL("../src/", import.meta.url))
const sources = globSync("**/*.{ts,tsx}", { cwd: sourceFolder }).map((file) => ({
  file,
  text: readFileSync(join(sourceFolder, file), "utf8")
}))

/** The patterns of all screens, as the areas declare them. */
const screenPatterns = sources
  .filter(({ file }) => /^screens\/[^/]+\/area\.ts$/.test(file))
  .flatMap(({ text }) => [...text.matchAll(/screen\(\s*"([^"]+)"/g)].map(([, pattern]) => pattern!))

it("returns an address of the screen of pages for every path of a page", () => {
  expect(screenPatterns.length).toBeGreaterThan(50)
  const ordered = [...screenPatterns].sort(compareSpecificity)
  const names = screenPatterns.flatMap((pattern) => pattern.split("/").filter((one) => /^[a-z-]+$/.test(one)))
  const screenOf = (path: string) => ordered.find((pattern) => matchPath(pattern, path) !== undefined)
  for (const name of ["intro", "~page", ...names]) {
    for (const path of [name, `${name}/deep`, `${name}/1/deep`]) {
      const page = { id: "pageId", path }
      expect(screenOf(pagePath({ spaceId: "s" }, page)), path).toBe("/spaces/:space/*page")
      expect(screenOf(pagePath({ spaceId: "s", change: "8" }, page)), path).toBe(
        "/spaces/:space/changes/:number/*page"
      )
      expect(screenOf(livePagePath("s", page)), path).toBe("/spaces/:space/live/*page")
    }
  }
})

it("builds the paths of pages in one module", () => {
  const own = ["router/pagePaths.ts", "router/paths.ts"]
  const others = sources.filter(
    ({ file, text }) =>
      !own.includes(file) &&
      !file.endsWith("/area.ts") &&
      /~page|\*page|\/spaces\/\$\{[^}]*\}\/(changes\/\$\{[^}]*\}\/)?\$\{[^}]*[pP]age/.test(text)
  )
  expect(others.map(({ file }) => file)).toEqual([])
})
