/** The table of operations in `harness/src/operations`: a row that is missing or stale does not compile. */
import { operations } from "@lectern/harness/operations"
import { contractOperations } from "@lectern/testkit/contract"
import { expect, it } from "vitest"

it("the contract calls every operation", () => {
  const called = new Set<string>(contractOperations)
  const missing = operations.map(({ id }) => id).filter((id) => !called.has(id))
  expect(
    missing,
    "Add these operations to packages/testkit/src/contract/further.ts, and call them in a scenario beside it."
  ).toEqual([])
})

it("the contract calls no operation that the API does not have", () => {
  const declared = new Set<string>(operations.map(({ id }) => id))
  expect(
    contractOperations.filter((id) => !declared.has(id)),
    "Remove these operations from packages/testkit/src/contract/further.ts."
  ).toEqual([])
})
