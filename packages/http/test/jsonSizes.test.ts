/** The size of JSON that servers parse: as much as the schema of an operation can accept, and some more. */
import { addressOf, buildScene, operations, paramsIn } from "@lectern/harness/operations"
import { jsonBoundsOf, maximumJsonBounds } from "@lectern/model/schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type SceneServer, startScene } from "./support/startScene.ts"

let scene: Awaited<ReturnType<typeof buildScene>>
let host: SceneServer

beforeAll(async () => {
  host = await startScene()
  scene = await buildScene(host)
})
afterAll(() => host.server.close())

const withBody = operations.flatMap((operation) => {
  const [schema] = operation.endpoint.payload.get("application/json")?.schemas ?? []
  return schema === undefined ? [] : [{ operation, bounds: jsonBoundsOf(schema) }]
})

const contents = "It has documents, whose blocks are as many as the size of the body permits."
const maps = "It has maps whose size no rule of the contract limits."

/** The operations whose bodies can have the maximum number of values. */
const unlimited: Readonly<Record<string, string>> = {
  updateSpaceContent: contents,
  updateChangeRequestContent: contents,
  updateChangeRequestById: contents,
  requestReviewersForChangeRequest: contents,
  submitChangeRequestReview: contents,
  postCommentInSpace: contents,
  postCommentReplyInSpace: contents,
  updateCommentInSpace: contents,
  updateCommentReplyInSpace: contents,
  postCommentInChangeRequest: contents,
  postCommentReplyInChangeRequest: contents,
  updateCommentInChangeRequest: contents,
  updateCommentReplyInChangeRequest: contents,
  createTranslation: maps,
  updateTranslation: maps,
  updateSiteAdaptiveSchema: maps
}

const keysOf = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(",")

describe("a body", () => {
  it("has a maximum number of values by its schema, except for the listed operations", () => {
    expect(withBody.length).toBeGreaterThan(80)
    const atMaximum = withBody.filter(({ bounds }) => bounds.values === maximumJsonBounds.values)
    expect(atMaximum.map(({ operation }) => operation.id).toSorted()).toEqual(
      Object.keys(unlimited).toSorted()
    )
  })

  it("with more values or keys is rejected by each operation before it is parsed", async () => {
    for (const { operation, bounds } of withBody) {
      const path = addressOf(operation, paramsIn(operation, scene))
      for (const [body, problem] of [
        // It is not valid JSON: only a scan before the parser can report the number of keys.
        [`{${keysOf(bounds.keys + 1)},`, "has an object with more than"],
        [`{"list":[${"1,".repeat(bounds.values)}`, "has more than"]
      ] as const) {
        const response = await host.server.fetch(path, { method: operation.method, token: host.token, body })
        // Who cannot call the operation receives this error first.
        const expected = response.status === 403 ? "NotOwnAccount" : problem
        expect([operation.id, await response.text()]).toEqual([
          operation.id,
          expect.stringContaining(expected)
        ])
      }
    }
  })
})
