/** The changes that a tab with the connection keeps for others: all after a position, or none. */

import type { AnnouncedChange } from "@lectern/client/fetch"
import { runs } from "@lectern/harness"
import fc from "fast-check"
import { expect, it } from "vitest"
import { ChangeHistory } from "../src/shell/changeHistory.ts"

const change = (cursor: number): AnnouncedChange => ({
  object: "change",
  cursor: String(cursor),
  type: "space.updated",
  organization: "o",
  createdAt: "2026-01-01T00:00:00Z",
  data: {}
})

it("returns every change after a position, or reports that some are not known", () => {
  fc.assert(
    fc.property(
      fc.option(fc.nat(20), { nil: undefined }),
      fc.array(
        fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant("gap" as const)),
        {
          size: "max",
          maxLength: 700
        }
      ),
      fc.nat(900),
      (start, steps, position) => {
        const history = new ChangeHistory(start === undefined ? undefined : String(start))
        let last = start ?? 10
        /** All changes, also in the gaps. */
        const all: Array<number> = []
        for (const step of steps) {
          last += step === "gap" ? 1 : step
          all.push(last)
          if (step === "gap") history.interrupt()
          else history.add(change(last))
        }
        const found = history.since(String(position))
        if (found === undefined) return
        expect(found.map(({ cursor }) => Number(cursor))).toEqual(all.filter((one) => one > position))
      }
    ),
    runs(200)
  )
})

it("has everything after its start while nothing is lost", () => {
  const history = new ChangeHistory("5")
  for (let cursor = 6; cursor < 100; cursor++) history.add(change(cursor))
  expect(history.since("5")).toHaveLength(94)
  expect(history.since("98")).toHaveLength(1)
  expect(history.since("4")).toBeUndefined()
  expect(history.since(undefined)).toBeUndefined()
})
