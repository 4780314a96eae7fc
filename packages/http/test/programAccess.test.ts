/** The rights of a program of others: exactly the operations of an API token of the person with its permissions may do. */
import { ApiTokens, CurrentUser, oauthDigest, ProgramGrants, Programs, type UserId } from "@lectern/core"
import { runs } from "@lectern/harness"
import {
  addressOf,
  buildScene,
  type Operation,
  operations,
  paramsIn,
  type Scene
} from "@lectern/harness/operations"
import { tokenPermissions } from "@lectern/model/tokens"
import { Clock, Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type SceneServer, startScene } from "./support/startScene.ts"

/** Creates an API token of a user with permissions, and an access token of a program that the user has authorized with the same ones. */
const createTokens = async (
  { server }: SceneServer,
  user: UserId,
  permissions: ReadonlyArray<string>,
  number: number
) => {
  const secret = `access token ${number} of a program`.padEnd(43, "x").replaceAll(" ", "-")
  const create = Effect.gen(function* () {
    const label = "Program"
    const created = yield* (yield* ApiTokens).create({ input: { user, label, permissions } as never })
    const input = { program: "program", name: label, permissions }
    const { id } = yield* Effect.provideService((yield* Programs).authorize({ input }), CurrentUser, {
      id: user
    })
    const { records } = yield* ProgramGrants
    yield* records.save({
      kind: "AccessToken",
      digest: oauthDigest(secret),
      grant: id,
      payload: { aud: "http://127.0.0.1:4400/v1", scope: permissions.join(" ") },
      expiresAt: (yield* Clock.currentTimeMillis) + 60 * 60_000
    })
    return Redacted.value(created.secret)
  })
  const runtime = server.core.runtime
  const apiToken = await runtime.runPromise(Effect.provideService(create, Clock.Clock, server.core.clock))
  return { apiToken, programToken: secret }
}

/** Calls an operation, and returns its status with the reason of its error. */
const outcomeOf = async ({ server }: SceneServer, scene: Scene, operation: Operation, token: string) => {
  const full = operation.full?.(scene) ?? {}
  const body = full.body ?? operation.body?.(scene)
  const response = await server.fetch(
    addressOf(operation, { ...paramsIn(operation, scene), ...full.params }),
    {
      method: operation.method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }
  )
  const text = await response.text()
  const reason = response.ok ? "" : (JSON.parse(text) as { error: { reason: string } }).error.reason
  return `${response.status} ${reason}`
}

it("calls exactly the operations that a token of the person with the same permissions can call", {
  timeout: 600_000
}, async () => {
  const host = await startScene()
  try {
    const scene = await buildScene(host)
    const people = [host.owner.id, scene.ids.userId, scene.otherUser, scene.reviewer]
    const saved = host.save()
    let number = 0
    const allowed = new Set<boolean>()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...people),
        fc.subarray([...tokenPermissions], { minLength: 1 }),
        fc.subarray([...operations], { minLength: 12, maxLength: 12 }),
        async (user, permissions, called) => {
          saved.rewind()
          number += 1
          const { apiToken, programToken } = await createTokens(host, user as UserId, permissions, number)
          const created = host.save()
          for (const operation of called) {
            await operation.prepare?.(scene, host.call)
            const prepared = host.save()
            const expected = await outcomeOf(host, scene, operation, apiToken)
            prepared.rewind()
            const actual = await outcomeOf(host, scene, operation, programToken)
            created.rewind()
            allowed.add(expected.startsWith("2"))
            expect([operation.id, actual]).toEqual([operation.id, expected])
          }
        }
      ),
      runs(40)
    )
    expect([...allowed].sort()).toEqual([false, true])
  } finally {
    await host.server.close()
  }
})
