/** Results of operations of a host's feature that differ from the declaration: the client gets a 500, and the log names the operation and the field. */
import {
  type AccessError,
  createWorkspace,
  defineFeature,
  type LogEntry,
  Operations,
  OrganizationId,
  type Query
} from "@lectern/core"
import { defineHttpFeature, toWebHandler } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { expect, it, onTestFinished } from "vitest"

const Quota = Schema.Struct({ spaces: Schema.Int, plan: Schema.optionalKey(Schema.String) })

const QuotasApi = HttpApiGroup.make("quotas").add(
  HttpApiEndpoint.get("getQuota", "/orgs/:organizationId/quota", {
    params: { organizationId: OrganizationId },
    success: Quota
  })
)

/** Opens a workspace whose feature returns a value that its types do not have, as casts and JavaScript permit. */
const open = async (result: unknown) => {
  interface QuotasOperations {
    readonly get: Query<{ organization: OrganizationId }, typeof Quota.Type, AccessError>
  }
  const makeQuotas = Effect.gen(function* () {
    const { query, allow } = yield* Operations
    return {
      get: query(
        "Quotas.get",
        { parameters: { organization: OrganizationId }, authorize: allow.organization("view") },
        function* () {
          return result as typeof Quota.Type
        }
      )
    }
  })
  class Quotas extends Context.Service<Quotas, QuotasOperations>()("test/Quotas") {}
  const feature = defineFeature("quotas", {
    userServices: { quotas: Quotas },
    layer: Layer.effect(Quotas, makeQuotas)
  })
  const logged: Array<LogEntry> = []
  const workspace = createWorkspace({
    storage: MemoryStorage.layer(),
    features: [feature],
    logger: (entry) => void logged.push(entry)
  })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const { secret } = await workspace.tokens.create({ input: { user, label: "Test" } })
  const http = defineHttpFeature(
    QuotasApi,
    Effect.map(Quotas, (quotas) => ({ getQuota: quotas.get }))
  )
  const handler = toWebHandler(workspace, { features: [http] })
  const response = await handler(
    new Request(`http://localhost/v1/orgs/${organization}/quota`, {
      headers: { authorization: `Bearer ${secret}` }
    })
  )
  const causes = logged.flatMap(({ level, cause }) => (level === "Error" ? [cause ?? ""] : []))
  return { status: response.status, text: await response.text(), causes }
}

it("rejects a result of another shape, and logs the operation and its fields", async () => {
  const { status, text, causes } = await open({ spaces: "many", plan: 3 })
  expect(status).toBe(500)
  expect(text).not.toContain("getQuota")
  expect(causes).toHaveLength(1)
  expect(causes[0]).toContain("getQuota returned a response that differs from its declaration")
  expect(causes[0]).toMatch(/spaces must be .*; plan must be a string/)
})

it.each([
  ["nothing", undefined, "it is undefined"],
  ["a value that JSON cannot represent", { spaces: 1n }, "BigInt"],
  ["no field", {}, "spaces is required"]
])("rejects a result that is %s, and logs why", async (_, result, problem) => {
  const { status, causes } = await open(result)
  expect(status).toBe(500)
  expect(causes.join("\n")).toContain("getQuota returned a response")
  expect(causes.join("\n")).toContain(problem)
})

it("accepts a result with more fields than its declaration", async () => {
  const { status, causes } = await open({ spaces: 3, internal: true })
  expect([status, causes]).toEqual([200, []])
})
