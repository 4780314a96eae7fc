/**
 * The policy (decision D5), checked for every operation and every way in which a caller comes by a role. What an
 * operation requires is read from its row in `harness/src/operations`, and what a role may do from the tables of the policy.
 */
import { addressOf, type Operation, operations, paramsIn, type RuleName } from "@lectern/harness/operations"
import { Result, Schema } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rulesOf, statusByRule, statusByRules } from "./support/authorization/expectedStatus.ts"
import { type PlacedScene, placeCaller } from "./support/authorization/placeCaller.ts"
import { placements } from "./support/authorization/placements.ts"

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

/** The operations that take an input that can be invalid, each with one. */
const withInvalidInput = operations.flatMap((operation) => {
  const { body } = operation
  const query = invalidQueryOf(operation)
  if (body === undefined && query === undefined) return []
  return [{ operation, query: query ?? "", body: body === undefined ? undefined : "{" }]
})

/** What a rule is about, where the body of the operation names it and not its path. */
const nounInBody = (rule: RuleName, { path }: Operation): "organization" | "space" | undefined => {
  const [noun] = rule.split(".")
  if (noun !== "organization" && noun !== "space") return undefined
  return path.includes(`:${noun}Id`) ? undefined : noun
}

it("most operations take an input that can be invalid", () => {
  expect(withInvalidInput.length).toBeGreaterThan(100)
})

for (const placement of placements) {
  describe(placement.name, () => {
    let placed: PlacedScene
    beforeAll(async () => {
      placed = await placeCaller(placement)
    })
    afterAll(() => placed.close())

    const send = async (operation: Operation, scene = placed.scene, params = paramsIn(operation, scene)) => {
      const body = operation.body?.(scene)
      const response = await placed.fetch(
        operation.method,
        addressOf(operation, params),
        body === undefined ? undefined : JSON.stringify(body)
      )
      return { status: response.ok ? 200 : response.status, text: await response.text() }
    }

    /** Runs the test of an operation in the state that it requires, and restores that of the scene. */
    const inItsState = async <A>(operation: Operation, test: () => Promise<A>): Promise<A> => {
      await operation.prepare?.(placed.scene, placed.callAsOwner)
      const result = await test()
      placed.rewind()
      return result
    }

    it("may call the operations that the policy allows: others return 403, or 404 for what is hidden", async () => {
      const statuses: Record<string, number> = {}
      const expected: Record<string, number> = {}
      for (const operation of operations) {
        const { status } = await inItsState(operation, () => send(operation))
        statuses[operation.id] = status
        expected[operation.id] = statusByRules(rulesOf(operation), placed.caller)
      }
      expect(statuses).toEqual(expected)
    })

    it("learns that an input is invalid only where the path alone is authorized", async () => {
      const statuses: Record<string, number> = {}
      const expected: Record<string, number> = {}
      for (const { operation, query, body } of withInvalidInput) {
        const { id, method, pathRule } = operation
        const { query: _, ...withoutQuery } = operation
        const address = `${addressOf(withoutQuery, paramsIn(operation, placed.scene))}?${query}`
        const { status } = await inItsState(operation, () => placed.fetch(method, address, body))
        statuses[id] = status
        const ofPath = statusByRules(pathRule === undefined ? rulesOf(operation) : [pathRule], placed.caller)
        expected[id] = ofPath === 200 ? 400 : ofPath
      }
      expect(statuses).toEqual(expected)
    })

    it("cannot tell what is hidden from what does not exist", async () => {
      const missingId = "0".repeat(30)
      for (const operation of operations) {
        const hidden = rulesOf(operation).find((rule) => statusByRule(rule, placed.caller) === 404)
        if (hidden === undefined || statusByRules(rulesOf(operation), placed.caller) !== 404) continue
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
        const [known, missing] = await inItsState(operation, async () => [
          await send(operation),
          await send(operation, without, Object.fromEntries(params))
        ])
        expect([operation.id, missing]).toEqual([operation.id, known])
      }
    })
  })
}
