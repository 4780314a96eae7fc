/** The status of unknown ids in bodies: docs/decisions/0082-readings-of-the-specification.md states the rule. */
import { addressOf, buildScene, operations, paramsIn } from "@lectern/harness/operations"
import { expect, it } from "vitest"
import { startScene } from "./support/startScene.ts"

/** An id of the form of the others. */
const unknownId = "01zzzzzzzzzzzzzzzzzzzzzzzzzzzz"

/** The fields that name resources with access of their own: 404, as in a path. */
const namesResource = /^(?:organization|parent|space|spaceId|spaces\.\d+|target\.space|site|siteId)$/

/** The operations with another status, which the record lists. */
const exceptions: Readonly<Record<string, number>> = {
  "transferCollection organization": 412,
  "transferSpace organization": 412,
  // The parent of a link is a section group, and not a collection.
  "addExternalLinkToSite parent": 400,
  // It responds with a result for each redirect, and its result is an error.
  "bulkUpsertSiteRedirects redirects.0.destination.siteSpaceId": 200,
  "inviteToCollection users": 404,
  "inviteToCollection teams": 404,
  "inviteToSpace users": 404,
  "inviteToSpace teams": 404,
  "inviteToSite users": 404,
  "inviteToSite teams": 404
}

/** Returns the fields of a body whose value is one of the ids. */
const idsIn = (
  value: unknown,
  ids: ReadonlySet<string>,
  path: string
): ReadonlyArray<readonly [string, string]> =>
  typeof value === "string"
    ? ids.has(value)
      ? [[path, value]]
      : []
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) =>
          idsIn(inner, ids, path === "" ? key : `${path}.${key}`)
        )
      : []

it("an unknown id in a body is 404 if it names a resource with access of its own, and 400 otherwise", async () => {
  const host = await startScene()
  const scene = await buildScene(host)
  const { rewind } = host.save()
  const { otherUser, reviewer, elsewhere, parent, above } = scene
  const others = [otherUser, reviewer, elsewhere, parent, above]
  const ids = new Set([...Object.values(scene.ids), ...others].filter((id) => id.length >= 20))
  const found: Record<string, number> = {}
  const expected: Record<string, number> = {}
  for (const operation of operations) {
    const full = operation.full?.(scene)
    for (const [body, params] of [
      [operation.body?.(scene), {}],
      [full?.body, full?.params ?? {}]
    ] as const) {
      for (const [field, id] of idsIn(body, ids, "")) {
        await operation.prepare?.(scene, host.call)
        const response = await host.server.fetch(
          addressOf(operation, { ...paramsIn(operation, scene), ...params }),
          {
            method: operation.method,
            token: host.token,
            body: JSON.stringify(body).replaceAll(id, unknownId)
          }
        )
        rewind()
        const name = `${operation.id} ${field}`
        found[name] = response.status
        expected[name] = exceptions[name.replace(/\.\d+$/, "")] ?? (namesResource.test(field) ? 404 : 400)
      }
    }
  }
  expect(found).toEqual(expected)
  expect(Object.keys(found).length).toBeGreaterThan(25)
})
