/** The table of operations in `harness/src/operations`: a row that is missing or stale does not compile. */
import { Atomicity } from "@lectern/harness"
import { callOperations, operations } from "@lectern/harness/operations"
import { contractOperations } from "@lectern/testkit/contract"
import { Effect, Tracer } from "effect"
import { expect, it } from "vitest"
import { bodyOf, createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"
import { generatedOperations, writesOfUploads } from "./support/writes/nextWrite.ts"

it("the contract calls no operation that the API does not have", () => {
  const declared = new Set<string>(operations.map(({ id }) => id))
  expect(
    contractOperations.filter((id) => !declared.has(id)),
    "Remove these operations from packages/testkit/src/contract/endpoints.ts."
  ).toEqual([])
})

it("the writers of the kill tests generate every operation that writes", () => {
  const generated = new Set<string>([
    ...generatedOperations,
    // A writer has no session and no program to revoke: only browsers start sessions and authorize programs.
    "revokeSession",
    "revokeAuthorizedProgram",
    // All writers share the organization.
    "deleteOrganizationById",
    // Files are sent to a signed URL, which is not a request to the API.
    ...writesOfUploads
  ])
  expect(
    operations.flatMap(({ id, isWrite }) => (isWrite && !generated.has(id) ? [id] : [])),
    "A kind is derived for operations on the resources of a writer. Add one for these to a file in support/writes."
  ).toEqual([])
})

it("every operation is served by the core operation of its row", async () => {
  const world = await createFaultyWorld()
  try {
    const started: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        started.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    const served: Record<string, ReadonlyArray<string>> = {}
    await callOperations(sceneHostOf(world), async ({ id }, { method, address, body }) => {
      started.length = 0
      bodyOf(
        await Atomicity.runToEnd(
          world,
          Effect.withTracer(world.send({ method, path: address, body }), tracer)
        )
      )
      served[id] = started.filter((name) => /^[A-Z]\w*\.\w+$/.test(name))
    })
    expect(served).toEqual(
      Object.fromEntries(operations.map(({ id, serves, calls = [] }) => [id, [serves, ...calls]]))
    )
  } finally {
    await world.close()
  }
})
