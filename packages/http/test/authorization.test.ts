/**
 * Authorization of every operation, for every source of a caller's role. The rules of an operation are read from its
 * row in `harness/src/operations`, and the roles that they require from the tables of the policy.
 *
 * The source of a role and the rule of an operation are independent: `npm test` proves each factor, with every operation for
 * each role, and with one operation of each rule for each other source of a role. `npm run test:all` proves their product.
 */
import { isFastRun } from "@lectern/harness"
import { addressOf, type Operation, operations, paramsIn, type RuleName } from "@lectern/harness/operations"
import { Result, Schema } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isInScopes, rulesOf, statusByRule, statusOf } from "./support/authorization/expectedStatus.ts"
import { closeScenes, type PlacedScene, placeCaller } from "./support/authorization/placeCaller.ts"
import { type Placement, placements } from "./support/authorization/placements.ts"

/** A query that the schema rejects: each parameter has an invalid value. Undefined if the schema accepts that. */
const invalidQueryOf = ({ endpoint: { query } }: Operation): string | undefined => {
  if (query?.ast._tag !== "Objects") return undefined
  const names = query.ast.propertySignatures.map(({ name }) => String(name))
  const decode = Schema.decodeUnknownResult(
    Schema.toCodecArrayFromSingle(query) as Schema.Codec<unknown, unknown>
  )
  const isInvalid = Result.isFailure(decode(Object.fromEntries(names.map((name) => [name, "\u0001"]))))
  return isInvalid ? names.map((name) => `${name}=%01`).join("&") : undefined
}

/** The operations whose input can be invalid, each with an invalid input. */
const withInvalidInput = operations.flatMap((operation) => {
  const { body } = operation
  const query = invalidQueryOf(operation)
  if (body === undefined && query === undefined) return []
  return [{ operation, query: query ?? "", body: body === undefined ? undefined : "{" }]
})

/** The noun of a rule, if the body of the operation names the resource and not its path. */
const nounInBody = (rule: RuleName, { path }: Operation): "organization" | "space" | undefined => {
  const [noun] = rule.split(".")
  if (noun !== "organization" && noun !== "space") return undefined
  return path.includes(`:${noun}Id`) ? undefined : noun
}

/** One operation of each rule, the first. */
const operationOfEachRule = new Set(
  [...Map.groupBy(operations, ({ rule, pathRule }) => JSON.stringify([rule, pathRule])).values()].map(
    ([first]) => first!
  )
)

/** Whether this run calls an operation as the caller of a placement. */
const isCalledBy = ({ callsEveryOperation }: Placement, operation: Operation): boolean =>
  !isFastRun || callsEveryOperation === true || operationOfEachRule.has(operation)

it("every rule is proven for every source of a role", () => {
  const rulesCalledBy = (placement: Placement) =>
    new Set(operations.filter((operation) => isCalledBy(placement, operation)).flatMap(rulesOf))
  const rules = new Set(operations.flatMap(rulesOf))
  for (const placement of placements) expect(rulesCalledBy(placement)).toEqual(rules)
})

it("more than 100 operations are called with an invalid input", () => {
  expect(withInvalidInput.length).toBeGreaterThan(100)
})

afterAll(closeScenes)

for (const placement of placements) {
  describe(placement.name, () => {
    const called = operations.filter((operation) => isCalledBy(placement, operation))
    let placed: PlacedScene
    beforeAll(async () => {
      placed = await placeCaller(placement)
    })

    const send = async (operation: Operation, scene = placed.scene, params = paramsIn(operation, scene)) => {
      const body = operation.body?.(scene)
      const response = await placed.fetch(
        operation.method,
        addressOf(operation, params),
        body === undefined ? undefined : JSON.stringify(body)
      )
      // The key of an upload is accepted of its user only: another caller who may create fonts is rejected after the authorization.
      const isAdmitted = response.ok || (operation.id === "createCustomFont" && response.status === 400)
      return { status: isAdmitted ? 200 : response.status, text: await response.text() }
    }

    /** Runs a test of an operation in the state that the operation requires, and then restores the scene. */
    const inRequiredState = async <A>(operation: Operation, test: () => Promise<A>): Promise<A> => {
      if (isInScopes(operation, placed.caller)) await operation.prepare?.(placed.scene, placed.callAsOwner)
      const result = await test()
      placed.rewind()
      return result
    }

    it("can call the operations that the policy allows; others return 403, or 404 for hidden resources", async () => {
      const statuses: Record<string, number> = {}
      const expected: Record<string, number> = {}
      for (const operation of called) {
        const { status } = await inRequiredState(operation, () => send(operation))
        statuses[operation.id] = status
        expected[operation.id] = statusOf(operation, placed.caller)
      }
      expect(statuses).toEqual(expected)
    })

    // The source of a role has been resolved when the input is decoded, and when a hidden resource is reported.
    if (isFastRun && placement.callsEveryOperation !== true) return

    const omitsInvalidInputs = isFastRun && placement.sendsInvalidInputs !== true
    it.skipIf(omitsInvalidInputs)(
      "receives 400 for an invalid input only if the path is authorized",
      async () => {
        const statuses: Record<string, number> = {}
        const expected: Record<string, number> = {}
        for (const { operation, query, body } of withInvalidInput) {
          const { id, method, pathRule } = operation
          const { query: _, ...withoutQuery } = operation
          const address = `${addressOf(withoutQuery, paramsIn(operation, placed.scene))}?${query}`
          const { status } = await inRequiredState(operation, () => placed.fetch(method, address, body))
          statuses[id] = status
          const ofPath = statusOf(
            operation,
            placed.caller,
            pathRule === undefined ? rulesOf(operation) : [pathRule]
          )
          expected[id] = ofPath === 200 ? 400 : ofPath
        }
        expect(statuses).toEqual(expected)
      }
    )

    it("cannot distinguish hidden resources from missing resources", async () => {
      const missingId = "0".repeat(30)
      for (const operation of called) {
        const hidden = rulesOf(operation).find((rule) => statusByRule(rule, placed.caller) === 404)
        if (hidden === undefined || statusOf(operation, placed.caller) !== 404) continue
        // Callers who see a site see that it has the space, and not the space itself.
        if (hidden.startsWith("siteSpace.") && operation.path.includes(":siteSpaceId")) continue
        const { scene } = placed
        const inBody = nounInBody(hidden, operation)
        const isSeen = (name: string) =>
          inBody !== undefined ||
          name === "integrationName" ||
          (name === "organizationId" && placement.member !== "outsider")
        const params = Object.entries(paramsIn(operation, scene)).map(([name, id]) => [
          name,
          isSeen(name) ? id : missingId
        ])
        const without =
          inBody === undefined ? scene : { ...scene, ids: { ...scene.ids, [`${inBody}Id`]: missingId } }
        const [known, missing] = await inRequiredState(operation, async () => [
          await send(operation),
          await send(operation, without, Object.fromEntries(params))
        ])
        expect([operation.id, missing]).toEqual([operation.id, known])
      }
    })
  })
}
