/** The access that a repetition with an idempotency key requires, for every operation. */
import { Atomicity } from "@lectern/harness"
import { buildScene, callOperationsIn, type Operation } from "@lectern/harness/operations"
import { describe, expect, it, onTestFinished } from "vitest"
import { respond, type WorldResponse } from "./support/conditionalCalls.ts"
import { bodyOf, createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

const headers = { "idempotency-key": "a-key" }

/** A world with a scene, and a second administrator of both organizations. */
const open = async () => {
  const world = await createFaultyWorld()
  onTestFinished(() => world.close())
  const host = sceneHostOf(world)
  const scene = await buildScene(host)
  let other = ""
  for (const organization of [world.organization, world.elsewhere]) {
    const invited = await host.call<{ users: ReadonlyArray<string> }>(
      "POST",
      `/v1/orgs/${organization}/invites`,
      { emails: ["grace@example.com"], role: "admin" }
    )
    other = invited.users[0]!
  }
  const token = await world.tokenOf(other)
  const asOther = async (method: string, path: string, body?: unknown) =>
    bodyOf(await Atomicity.runToEnd(world, world.send({ method, path, body, token })))
  await asOther("GET", "/v1/user")
  return { world, host, scene, other, asOther }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Executes every operation with a key, and visits the response and the response to a repetition after a change. */
const repeatEach = async (
  opened: Opened,
  change: () => Promise<string | undefined>,
  visit: (operation: Operation, first: WorldResponse, second: WorldResponse) => void
): Promise<void> => {
  const { world, host, scene } = opened
  await callOperationsIn(scene, host, async (operation, { method, address: path, body }) => {
    if (!operation.isWrite || !["POST", "DELETE"].includes(method)) return
    // No administrator can change the access to an organization in the trash.
    if (operation.id === "deleteOrganizationById") return
    const first = await respond(world, { method, path, body, headers })
    const token = await change()
    const second = await respond(world, {
      method,
      path,
      body,
      headers,
      ...(token === undefined ? {} : { token })
    })
    visit(operation, first, second)
  })
}

const isReplayed = ({ headers: { "idempotent-replayed": replayed } }: WorldResponse) => replayed === "true"

describe("a repetition of a command with an idempotency key", () => {
  it("is rejected after its caller was removed from all organizations", { timeout: 120_000 }, async () => {
    const opened = await open()
    const { world, asOther } = opened
    const replayed: Array<string> = []
    let rejectedCount = 0
    const removeCaller = async () => {
      for (const organization of [world.organization, world.elsewhere]) {
        await asOther("DELETE", `/v1/orgs/${organization}/members/${world.user}`)
      }
      return undefined
    }
    await repeatEach(opened, removeCaller, ({ id, rule, pathRule }, first, second) => {
      expect([id, first.status < 300]).toEqual([id, true])
      if (isReplayed(second) || second.reason === "AlreadyDone") replayed.push(id)
      else if (rule !== "anybody" || pathRule !== undefined) {
        rejectedCount++
        expect([id, [403, 404].includes(second.status)]).toEqual([id, true])
      }
    })
    // One requires no membership, and the others act on the caller's own tokens and sessions.
    expect(replayed.sort()).toEqual([
      "joinOrganizationWithInvite",
      "revokeApiToken",
      "revokeAuthorizedProgram",
      "revokeSession",
      "rotateApiToken",
      "signOut",
      "signOutEverywhere"
    ])
    expect(rejectedCount).toBeGreaterThan(80)
  })

  for (const role of ["read", null] as const) {
    it(`is rejected with 403 or 404, as the request without the key is, after its caller became ${role ?? "a guest"}`, {
      timeout: 120_000
    }, async () => {
      const opened = await open()
      const { world, asOther, scene, host } = opened
      const violations: Array<unknown> = []
      let rejectedCount = 0
      const demote = async () => {
        for (const organization of [world.organization, world.elsewhere]) {
          await asOther("PATCH", `/v1/orgs/${organization}/members/${world.user}`, { role })
        }
        return undefined
      }
      // The statuses of the same requests without a key, by the lowered role.
      const saved = host.save()
      const expected = new Map<string, number>()
      await callOperationsIn(scene, host, async (operation, { method, address: path, body }) => {
        if (!operation.isWrite) return
        await demote()
        expected.set(operation.id, (await respond(world, { method, path, body })).status)
      })
      saved.rewind()
      const removed: Array<string> = []
      await repeatEach(opened, demote, (operation, first, second) => {
        const { id } = operation
        const status = expected.get(id)!
        if (status < 400) return
        if ([403, 404].includes(second.status)) rejectedCount++
        else if (isReplayed(second) && first.status < 300) removed.push(id)
        else if (second.reason !== "AlreadyDone") violations.push({ id, status, second })
      })
      expect(violations).toEqual([])
      // The command has removed the target, so that the caller needs access to its organization only.
      expect(removed.sort()).toEqual(
        [
          "deleteCollectionById",
          "deleteSiteById",
          "removeMemberFromOrganizationById",
          "removeTeamFromOrganizationById"
        ].sort()
      )
      expect(rejectedCount).toBeGreaterThan(80)
    })
  }

  it("is rejected with a token of the same user that the scopes do not permit it", {
    timeout: 120_000
  }, async () => {
    const opened = await open()
    const { host, world } = opened
    const { secret } = await host.call<{ secret: string }>("POST", "/v1/user/tokens", {
      label: "Narrow",
      permissions: ["organization.view"]
    })
    await Atomicity.runToEnd(world, world.send({ method: "GET", path: "/v1/user", token: secret }))
    const isNarrow = async (call: {
      readonly method: string
      readonly path: string
      readonly body?: unknown
    }) => (await respond(world, { ...call, token: secret })).reason === "ScopeTooNarrow"
    const saved = host.save()
    const expected = new Map<string, boolean>()
    await callOperationsIn(opened.scene, host, async ({ id }, { method, address: path, body }) => {
      expected.set(id, await isNarrow({ method, path, body }))
    })
    saved.rewind()
    const narrow: Array<string> = []
    const use = () => Promise.resolve(secret)
    await repeatEach(opened, use, ({ id }, _, second) => {
      expect([id, second.reason === "ScopeTooNarrow"]).toEqual([id, expected.get(id)])
      if (expected.get(id)) narrow.push(id)
    })
    expect(narrow.length).toBeGreaterThan(80)
  })

  it("returns the stored response of a leave, a deletion, a transfer and a merge", async () => {
    const { world, host, scene, other, asOther } = await open()
    const { ids, elsewhere } = scene
    const token = await world.tokenOf(other)
    const repeat = async (method: string, path: string, body?: unknown) => {
      const call = { method, path, body, headers: { "idempotency-key": path }, token }
      const [first, second] = [await respond(world, call), await respond(world, call)]
      expect([method, path, first.status < 300]).toEqual([method, path, true])
      expect([second.status, second.text, isReplayed(second)]).toEqual([first.status, first.text, true])
    }
    const space = `/v1/spaces/${ids.spaceId}`
    const changeRequest = await host.call<{ id: string }>("POST", `${space}/change-requests`, {})
    const proposed = `${space}/change-requests/${changeRequest.id}`
    await host.call("POST", `${proposed}/content`, {
      changes: [{ operation: "insert_page", document: { markdown: "# Merged" } }]
    })
    await repeat("POST", `${proposed}/merge`)
    await repeat("DELETE", `/v1/collections/${ids.collectionId}`)
    await repeat("DELETE", `/v1/orgs/${ids.organizationId}/sites/${ids.siteId}`)
    // The caller leaves the organization that the space was transferred to, so that the transfer is rejected from then on.
    const transfer = ["POST", `${space}/transfer`, { organization: elsewhere }] as const
    await repeat(...transfer)
    await repeat("DELETE", `/v1/orgs/${elsewhere}/members/${other}`)
    const [method, path, body] = transfer
    const repetition = { method, path, body, headers: { "idempotency-key": path }, token }
    expect((await respond(world, repetition)).status).toBe(404)
    await repeat("DELETE", `/v1/orgs/${ids.organizationId}/members/${other}`)
    await expect(asOther("GET", `/v1/orgs/${ids.organizationId}`)).rejects.toThrow("404")
  })
})
