/** The checker of histories finds each anomaly of weak isolation, and accepts every serial history. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  findAnomalies,
  formatAnomaly,
  type ListOperation,
  type RecordedTransaction
} from "../src/histories/index.ts"
import { runs } from "../src/index.ts"

const append = (list: string, value: number): ListOperation => ({ do: "append", list, value })
const readOf = (list: string, ...values: ReadonlyArray<number>): ListOperation => ({
  do: "read",
  list,
  values
})
const transaction = (
  name: string,
  outcome: RecordedTransaction["outcome"],
  ...operations: ReadonlyArray<ListOperation>
): RecordedTransaction => ({ name, outcome, operations })
const committed = (name: string, ...operations: ReadonlyArray<ListOperation>) =>
  transaction(name, "committed", ...operations)

describe("the checker of histories finds", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      kind: string,
      history: ReadonlyArray<RecordedTransaction>,
      final?: ReadonlyMap<string, ReadonlyArray<number>>
    ]
  > = [
    [
      "a dirty read",
      "aborted read",
      [transaction("one", "aborted", append("x", 1)), committed("two", readOf("x", 1))]
    ],
    [
      "an intermediate read",
      "intermediate read",
      [committed("one", append("x", 1), append("x", 2)), committed("two", readOf("x", 1))]
    ],
    [
      "a read that is not repeatable",
      "internal inconsistency",
      [committed("one", append("x", 1)), committed("two", readOf("x"), readOf("x", 1))]
    ],
    [
      "a transaction that misses its own append",
      "internal inconsistency",
      [committed("one", append("x", 1), readOf("x"))]
    ],
    [
      "a lost update",
      "lost append",
      [committed("one", readOf("x"), append("x", 1)), committed("two", readOf("x"), append("x", 2))],
      new Map([["x", [2]]])
    ],
    [
      "a write skew",
      "cycle",
      [
        committed("one", readOf("x"), append("y", 1)),
        committed("two", readOf("y"), append("x", 2)),
        committed("three", readOf("x", 2), readOf("y", 1))
      ]
    ],
    [
      "a circular flow of information",
      "cycle",
      [committed("one", append("x", 1), readOf("y", 2)), committed("two", append("y", 2), readOf("x", 1))]
    ],
    [
      "a dirty write",
      "cycle",
      [
        committed("one", append("x", 1), append("y", 1.5)),
        committed("two", append("x", 2), append("y", 2.5)),
        committed("three", readOf("x", 1, 2), readOf("y", 2.5, 1.5))
      ]
    ],
    [
      "a fractured read",
      "cycle",
      [committed("one", append("x", 1), append("y", 2)), committed("two", readOf("x", 1), readOf("y"))],
      new Map([["y", [2]]])
    ],
    [
      "reads without a common order",
      "incompatible order",
      [
        committed("one", append("x", 1)),
        committed("two", append("x", 2)),
        committed("three", readOf("x", 1)),
        committed("four", readOf("x", 2))
      ]
    ],
    [
      "an append that is repeated",
      "duplicate append",
      [committed("one", append("x", 1)), committed("two", readOf("x", 1, 1))]
    ]
  ]
  it.each(cases.map(([name, kind, history, final]) => ({ name, kind, history, final })))(
    "$name",
    ({ kind, history, final }) => {
      const anomalies = findAnomalies(history, final)
      expect(anomalies.map((anomaly) => anomaly.kind)).toContain(kind)
      // The message has the operations that show the anomaly.
      expect(anomalies.map(formatAnomaly).join("\n")).toMatch(
        /\n {2}\w+ \((?:committed|aborted)\): (?:append|read) /
      )
    }
  )

  it("nothing if the reply of a committed transaction was lost", () => {
    expect(
      findAnomalies([
        transaction("one", "unknown", append("x", 1)),
        committed("two", readOf("x", 1), append("x", 2))
      ])
    ).toEqual([])
  })

  it("a value of an aborted transaction in a read that only a transaction of unknown outcome made", () => {
    const anomalies = findAnomalies([
      transaction("one", "aborted", append("x", 1)),
      transaction("two", "unknown", readOf("x", 1), append("y", 2)),
      transaction("three", "unknown", readOf("y", 2), append("z", 3)),
      committed("four", readOf("z", 3))
    ])
    expect(anomalies.map(({ kind }) => kind)).toEqual(["aborted read"])
  })

  it("nothing in a serial history", () => {
    const operation = fc.record({ list: fc.constantFrom("x", "y", "z"), reads: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        (plans) => {
          const lists = new Map<string, ReadonlyArray<number>>()
          let value = 0
          const history = plans.map((plan, index) =>
            committed(
              `transaction ${index}`,
              ...plan.map(({ list, reads }) => {
                const before = lists.get(list) ?? []
                if (reads) return readOf(list, ...before)
                value += 1
                lists.set(list, [...before, value])
                return append(list, value)
              })
            )
          )
          expect(findAnomalies(history, lists)).toEqual([])
        }
      ),
      runs(200)
    )
  })
})
