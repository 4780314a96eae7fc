/** Times in requests: each is one of the calendar, and no operation accepts other text as a time. */
import { Result, Schema } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { Api } from "../src/api/index.ts"
import { hasCalendarDate, IsoDateTime } from "../src/schema/index.ts"
import { AggregateSiteEvents } from "../src/sites/index.ts"

const decode = Schema.decodeUnknownResult(IsoDateTime)
const two = (value: number) => String(value).padStart(2, "0")

const daysIn = (year: number, month: number): number => {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

describe("a time in a request", () => {
  it("is on a day that exists, of every month", () => {
    for (const year of [0, 4, 99, 100, 1900, 2000, 2023, 2024, 2100, 9999]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`
          const exists = day >= 1 && day <= daysIn(year, month)
          expect([date, hasCalendarDate(date)]).toEqual([date, exists])
          const found = decode(`${date}T12:00:00Z`)
          expect([date, Result.isSuccess(found)]).toEqual([date, exists])
          if (Result.isSuccess(found)) expect(found.success).toBe(`${date}T12:00:00.000Z`)
        }
      }
    }
  })

  it("has an hour, a minute, a second and a zone that exist", () => {
    for (const [limit, format] of [
      [24, (value: string) => `2026-01-31T${value}:00:00Z`],
      [60, (value: string) => `2026-01-31T00:${value}:00Z`],
      [60, (value: string) => `2026-01-31T00:00:${value}.5Z`],
      [24, (value: string) => `2026-01-31T00:00+${value}:00`],
      [60, (value: string) => `2026-01-31T00:00-00:${value}`]
    ] as const) {
      for (let value = 0; value < 100; value++) {
        const text = format(two(value))
        expect([text, Result.isSuccess(decode(text))]).toEqual([text, value < limit])
      }
    }
  })

  it("has a year of four digits in UTC", () => {
    for (const text of ["9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01"]) {
      expect([text, Result.isSuccess(decode(text))]).toEqual([text, false])
    }
    expect(Result.isSuccess(decode("9999-12-31T23:59:59Z"))).toBe(true)
  })
})

/** Returns the paths of the times in a schema that are not verified. */
const unverifiedTimes = (ast: unknown, path: string, seen = new Set<unknown>()): ReadonlyArray<string> => {
  if (typeof ast !== "object" || ast === null || seen.has(ast)) return []
  seen.add(ast)
  const { annotations, encoding, propertySignatures, ...others } = ast as Record<string, unknown>
  const { identifier, format } = (annotations ?? {}) as Record<string, unknown>
  if (encoding === undefined && (identifier === "Timestamp" || format === "date-time")) return [path]
  if (encoding !== undefined && identifier === "Timestamp") return []
  const properties = Array.isArray(propertySignatures) ? propertySignatures : []
  return [
    ...properties.flatMap(({ name, type }) => unverifiedTimes(type, `${path}.${String(name)}`, seen)),
    ...(Array.isArray(encoding) ? encoding.flatMap(({ to }) => unverifiedTimes(to, path, seen)) : []),
    ...Object.values(others).flatMap((value) =>
      Array.isArray(value)
        ? value.flatMap((item) => unverifiedTimes(item?.type ?? item, path, seen))
        : unverifiedTimes(value, path, seen)
    )
  ]
}

it("every time that an operation receives is verified", () => {
  const inputs = Object.values(Api.groups as unknown as Record<string, HttpApiGroup.Top>).flatMap(
    ({ endpoints }) =>
      Object.values(endpoints).flatMap(({ identifier, payload, query, params }) =>
        [...[...payload.values()].flatMap(({ schemas }) => schemas), query, params].flatMap((schema) =>
          schema === undefined ? [] : [{ name: identifier, ast: schema.ast }]
        )
      )
  )
  expect(inputs.length).toBeGreaterThan(200)
  expect(inputs.flatMap(({ name, ast }) => unverifiedTimes(ast, name))).toEqual([])
})

it("a range of insights is between two times", () => {
  const range = Schema.decodeUnknownResult(AggregateSiteEvents)
  const to = "2026-02-28T00:00:00Z"
  for (const from of ["x", "", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01"]) {
    expect([from, Result.isFailure(range({ range: { from, to } }))]).toEqual([from, true])
    expect([from, Result.isFailure(range({ range: { from: to, to: from } }))]).toEqual([from, true])
  }
  expect(Result.isSuccess(range({ range: { from: "2026-01-01T00:00:00+01:00", to } }))).toBe(true)
  expect(Result.isSuccess(range({ range: "last7Days" }))).toBe(true)
})
