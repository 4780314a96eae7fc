/** The size of JSON that servers parse: as much as the schema of an operation can accept. */
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
it("x", () => {
  for (const { operation, bounds } of withBody) console.log(bounds.values, bounds.keys, operation.id)
})
