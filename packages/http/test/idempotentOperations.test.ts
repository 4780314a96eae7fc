/** Idempotency keys of every POST operation, from the table of operations. */
import { ReturnsSecret } from "@lectern/client"
import { Atomicity, runs, StoreContents } from "@lectern/harness"
import { callOperations, type Operation } from "@lectern/harness/operations"
import { Context } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { respond } from "./support/conditionalCalls.ts"
import { createFaultyWorld, type FaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

/** Creates a world that is closed when the test has finished. */
const createWorld = async (): Promise<FaultyWorld> => {
  const world = await createFaultyWorld()
  onTestFinished(() => world.close())
  return world
}

const key = { "idempotency-key": "a-key" }

/** Returns the differences of the store from a saved state. Contents are read only if anything was written. */
const changesSince = async (
  world: FaultyWorld,
  saved: ReturnType<FaultyWorld["save"]>
): Promise<ReadonlyArray<string>> => {
  if (saved.isCurrent()) return []
  const [contents, current] = [await world.readContents(), world.save()]
  saved.rewind()
  const before = await world.readContents()
  current.rewind()
  return StoreContents.diffContents(before, contents)
}

/** Whether an operation returns a secret for the body of its call. */
const returnsSecret = ({ endpoint }: Operation, result: unknown): boolean =>
  Context.get(endpoint.annotations, ReturnsSecret)(result)

it("a repetition of a POST or DELETE request with the same key has the same response and no effect", async () => {
  const world = await createWorld()
  const violations: Array<string> = []
  const secretOperations: Array<string> = []
  let replayedCount = 0
  await callOperations(sceneHostOf(world), async (operation, { method, address: path, body }) => {
    if (!["POST", "DELETE"].includes(method) || !operation.isWrite) return
    const send = (more: Partial<Parameters<typeof respond>[1]> = {}) =>
      respond(world, { method, path, body, headers: key, ...more })
    const expectNothingStored = async (what: string, actual: unknown, expected: unknown) => {
      if (JSON.stringify(actual) !== JSON.stringify(expected)) {
        violations.push(
          `${operation.id} ${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`
        )
      }
      const changed = await changesSince(world, stored)
      if (changed.length > 0) violations.push(`${operation.id} ${what} changed the store: ${changed.join()}`)
    }
    const first = await send()
    if (first.status >= 300) violations.push(`${operation.id}: ${first.status} ${first.text}`)
    const stored = world.save()
    const second = await send()
    if (returnsSecret(operation, first.text === "" ? undefined : JSON.parse(first.text))) {
      secretOperations.push(operation.id)
      await expectNothingStored("repeated", [second.status, second.reason], [409, "AlreadyDone"])
    } else {
      replayedCount++
      // A field that contains a secret or a signed URL, of an operation that does not declare it.
      const secret = /"(?!sortKey)(?:\w*key|\w*token|\w*secret|serviceVisitorClaims|downloadURL)":"/i.exec(
        first.text
      )
      if (secret !== null)
        violations.push(`${operation.id} returns ${secret[0]}, and must have ReturnsSecret`)
      const marked = { ...first, headers: { ...first.headers, "idempotent-replayed": "true" } }
      const sorted = ({ status, headers, text }: typeof first) => [
        status,
        Object.entries(headers).sort(),
        text
      ]
      await expectNothingStored("repeated", sorted(second), sorted(marked))
    }
    const reused = [409, "IdempotencyKeyReused"]
    const otherUrl = await send({ path: `${path}${path.includes("?") ? "&" : "?"}another=1` })
    await expectNothingStored("with another URL", [otherUrl.status, otherUrl.reason], reused)
    if (body !== undefined) {
      const otherBody = await send({ body: { ...body, another: 1 } })
      await expectNothingStored("with another body", [otherBody.status, otherBody.reason], reused)
    }
    const malformed = await send({ headers: { "idempotency-key": "two words" } })
    // The authorization precedes the validation, and a deleted target is not found.
    const isDeleted = method === "DELETE" && malformed.status === 404
    const rejected = isDeleted ? [404, malformed.reason] : [400, "InvalidFields"]
    await expectNothingStored("malformed", [malformed.status, malformed.reason], rejected)
  })
  expect(violations).toEqual([])
  expect(secretOperations.sort()).toEqual([
    "createApiToken",
    "createIntegrationInstallationToken",
    "createOrganizationInvite",
    "createSiteMcpServer",
    "createSiteShareLink",
    "createWebhook",
    "generateStorageUploadURL",
    "regenerateSitePublishingAuthById",
    "renewInvitation",
    "rotateApiToken",
    "rotateWebhookSecret",
    "updateOrganizationMemberLastSeenAt",
    "updateSpaceContent"
  ])
  expect(replayedCount).toBeGreaterThan(35)
})

it("a fault at any step of a POST request with a key stores the key and the effect, or neither", async () => {
  const world = await createWorld()
  const violations: Array<string> = []
  let faultCount = 0
  const rounds = Math.min(Atomicity.faultKinds.length, runs(1).numRuns)
  const kindsAt = Atomicity.rotatedKinds(rounds, () => faultCount)
  await callOperations(sceneHostOf(world), async (operation, { method, address: path, body }) => {
    if (method !== "POST") return
    const trials = await Atomicity.tryEachFault(
      world,
      world.send({ method, path, body, headers: key }),
      kindsAt
    )
    faultCount += trials.faultCount
    for (const violation of trials.violations) violations.push(`${operation.id}: ${violation}`)
    const isRepeatable =
      trials.retryResult === "same" || /AlreadyDone/.test(trials.retryResult ?? "AlreadyDone")
    if (!isRepeatable) violations.push(`${operation.id}: the retry had the result ${trials.retryResult}`)
  })
  expect(violations).toEqual([])
  expect(faultCount).toBeGreaterThan(500)
})
