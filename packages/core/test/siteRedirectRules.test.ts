/** The redirect that starts from a path, and its target. */
import { runs } from "@lectern/harness"
import { Ids, timeOfId } from "@lectern/kernel"
import { leadsToItself, redirectFrom, sourcesFor, targetOf } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const segment = fc.stringMatching(/^(?:[a-z0-9.~_+-]|%2e|%2E|%2f|%40){1,6}$/)
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join("/")}`)
const beginning = path.chain((text) =>
  fc.constantFrom(`${text}/*`, `${text}*`).map((source) => ({ source, below: source.slice(0, -1) }))
)

/** Whether a source matches a path, by its definition. */
const matches = (source: string, requested: string): boolean =>
  source.endsWith("*") ? requested.startsWith(source.slice(0, -1)) && source.length > 2 : source === requested

it("finds the redirect with the longest source that matches, and the exact one first", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          path,
          beginning.map(({ source }) => source)
        )
      ),
      path,
      (others, requested) => {
        const all = [...new Set([...others, ...sourcesFor(requested).filter((_, index) => index % 3 === 0)])]
        const own = all.filter((source) => source !== requested || requested.length % 2 === 0)
        const matching = own.filter((source) => matches(source, requested))
        const expected = matching.includes(requested)
          ? requested
          : matching.toSorted((one, other) => other.length - one.length)[0]
        expect(
          redirectFrom(
            own.map((source) => ({ source })),
            requested
          )?.source
        ).toBe(expected)
      }
    ),
    runs(300)
  )
})

it("appends the captured part below the destination, on the same host, with the query and the fragment", () => {
  const root = "https://docs.example.com/site/"
  const url = fc
    .record({
      origin: fc.constantFrom(
        "https://example.com",
        "https://docs.example.com/site",
        "http://localhost:4000"
      ),
      base: fc.oneof(
        fc.constant(""),
        fc.constant("/"),
        path,
        path.map((text) => `${text}/`)
      ),
      rest: fc.constantFrom("", "?a=1", "#part", "?a=/../b#c")
    })
    .map(({ origin, base, rest }) => new URL(origin + base + rest).href)
  fc.assert(
    fc.property(beginning, fc.oneof(path, segment), url, ({ source, below }, rest, destination) => {
      const requested = `${below}${source.endsWith("/*") ? rest.replace(/^\//, "") : rest}`
      const target = targetOf({ source, captureWildcard: true }, { url: destination, root }, requested)
      if (target === undefined) return
      const [from, to] = [new URL(destination), new URL(target)]
      expect([to.origin, to.search, to.hash]).toEqual([from.origin, from.search, from.hash])
      // No part of the path leaves the destination, also after the URL is normalized.
      expect(to.pathname.startsWith(from.pathname.replace(/\/$/, ""))).toBe(true)
      expect(`${root}${requested.slice(1)}`).not.toBe(target)
    }),
    runs(500)
  )
})

it("ends after a finite number of redirects to a destination below its own source", () => {
  const root = "https://docs.example.com/"
  const redirect = { source: "/docs/*", captureWildcard: true }
  const destination = { url: `${root}docs/v2`, root }
  expect(targetOf(redirect, destination, "/docs/start")).toBe(`${root}docs/v2/start`)
  expect(targetOf(redirect, destination, "/docs/v2/start")).toBeUndefined()
  expect(targetOf(redirect, { url: root, root }, "/docs/start")).toBe(`${root}start`)
  expect(targetOf({ source: "/a", captureWildcard: false }, { url: `${root}a`, root }, "/a")).toBeUndefined()
})

it("redirects at most once, and never to the same path, on a site", () => {
  const root = "https://docs.example.com/"
  const segments = fc.array(fc.constantFrom("a", "b", "ab", "a-b", "%61", "aa"), {
    minLength: 1,
    maxLength: 3
  })
  const somePath = segments.map((parts) => `/${parts.join("/")}`)
  const source = fc.tuple(somePath, fc.constantFrom("*", "/*")).map((parts) => parts.join(""))
  const url = fc.oneof(
    fc.constant(root),
    fc.tuple(somePath, fc.constantFrom("", "/")).map(([text, end]) => `${root}${text.slice(1)}${end}`)
  )
  fc.assert(
    fc.property(source, url, fc.boolean(), somePath, somePath, (source, url, captureWildcard, one, other) => {
      const requested =
        source.slice(0, -1).replace(/\/$/, "") + (captureWildcard ? one.slice(1) : one) + other
      if (!requested.startsWith(source.slice(0, -1))) return
      const redirect = { source, captureWildcard }
      const first = targetOf(redirect, { url, root }, requested)
      if (first === undefined || !captureWildcard) return
      expect(decodeURIComponent(first)).not.toBe(decodeURIComponent(`${root}${requested.slice(1)}`))
      const path = `/${first.slice(root.length)}`
      if (!path.startsWith(source.slice(0, -1))) return
      expect([source, url, requested, targetOf(redirect, { url, root }, path)]).toEqual([
        source,
        url,
        requested,
        undefined
      ])
    }),
    runs(2_000)
  )
})

it("finds redirects to paths that they match themselves", () => {
  const root = "https://docs.example.com/"
  const captureWildcard = true
  for (const [source, url, expected] of [
    ["/second*", `${root}second-page`, true],
    ["/second*", `${root}second`, true],
    ["/second*", `${root}first`, false],
    ["/second/*", `${root}second-page`, false],
    ["/guides/*", `${root}guides/v2`, false],
    ["/guides/*", `${root}guides`, true],
    ["/guides/*", `${root}guides/`, true],
    ["/v*", root, false],
    ["/v*", "https://example.com/v", false]
  ] as const) {
    expect([source, url, leadsToItself({ source, captureWildcard }, { url, root })]).toEqual([
      source,
      url,
      expected
    ])
    expect(leadsToItself({ source, captureWildcard: false }, { url, root })).toBe(false)
  }
})

it("reads the time of an id, and 0 from other strings", async () => {
  const time = Date.UTC(2026, 10, 27, 8, 30)
  const id = await Effect.runPromise(
    Effect.gen(function* () {
      yield* TestClock.setTime(time)
      return yield* (yield* Ids).next
    }).pipe(Effect.provide([Ids.layer, TestClock.layer()]))
  )
  expect(timeOfId(id)).toBe(time)
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(Number.isNaN(new Date(timeOfId(text)).getTime())).toBe(false)
    }),
    runs(100)
  )
})
