/** The redirect that starts from a path, and its target. */
import { runs } from "@lectern/harness"
import { Ids, timeOfId } from "@lectern/kernel"
import { redirectFrom, sourcesFor, targetOf } from "@lectern/kernel/tables"
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
