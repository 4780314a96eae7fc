/** Conditional requests: `If-None-Match` and `If-Match`. */
import { describe, expect, it } from "vitest"
import { ruleDatabases } from "./stores.ts"
import { startServer } from "./support.ts"

describe("a resource has an ETag for conditional reads and writes", () => {
  for (const { name, make } of ruleDatabases) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const user = await server.core.createUser("ada@example.com")
        const reader = await server.core.createUser("reader@example.com")
        const organization = await server.core.createOrganization("Acme", user)
        await server.core.setMember(organization, reader, "read")
        const token = await server.tokenOf(user)
        const call = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
          server.fetch(path, {
            method,
            token,
            headers,
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
        const created = await call("POST", `/v1/orgs/${organization}/spaces`, {}, { title: "First" })
        const path = `/v1/spaces/${((await created.json()) as { id: string }).id}`
        const readTag = async (): Promise<string> => (await call("GET", path)).headers.get("etag")!
        const title = async () => ((await (await call("GET", path)).json()) as { title: string }).title

        const first = await readTag()
        expect(first).toMatch(/^"\w{8,}"$/)
        expect((await call("HEAD", path)).headers.get("etag")).toBe(first)
        expect(await readTag()).toBe(first)

        for (const tags of [first, `W/${first}`, `"other", ${first}`, "*"]) {
          const same = await call("GET", path, { "if-none-match": tags })
          expect([same.status, await same.text(), same.headers.get("content-type")]).toEqual([304, "", null])
          expect(same.headers.get("etag")).toBe(first)
        }
        expect((await call("GET", path, { "if-none-match": '"other"' })).status).toBe(200)

        const changed = await call("PATCH", path, { "if-match": first }, { title: "Second" })
        expect(changed.status).toBe(200)
        // The response to a change has the ETag of the next read.
        expect(changed.headers.get("etag")).toBe(await readTag())
        expect(await readTag()).not.toBe(first)

        const stale = await call("PATCH", path, { "if-match": first }, { title: "Third" })
        expect(stale.status).toBe(412)
        expect((await call("DELETE", path, { "if-match": first })).status).toBe(412)
        expect(await title()).toBe("Second")
        // Validation errors take precedence over a stale ETag.
        expect((await call("PATCH", path, { "if-match": first }, { title: 1 })).status).toBe(400)
        const hidden = await call("PATCH", "/v1/spaces/nothing", { "if-match": first }, { title: "x" })
        expect(hidden.status).toBe(404)
        const low = await server.fetch(path, {
          method: "DELETE",
          token: await server.tokenOf(reader),
          headers: { "if-match": first }
        })
        expect(low.status).toBe(403)

        // Of concurrent changes with the same ETag, one succeeds.
        const seen = await readTag()
        const responses = await Promise.all(
          Array.from({ length: 6 }, (_, i) => call("PATCH", path, { "if-match": seen }, { title: `By ${i}` }))
        )
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412])
        const winner = responses.findIndex(({ status }) => status === 200)
        expect(await title()).toBe(`By ${winner}`)

        expect((await call("PATCH", path, { "if-match": "*" }, { title: "Any" })).status).toBe(200)
        expect((await call("DELETE", path, { "if-match": await readTag() })).status).toBe(205)
        expect((await call("GET", `/v1/orgs/${organization}/spaces`)).headers.get("etag")).toBeNull()
      } finally {
        await server.close()
      }
    })
  }
})
