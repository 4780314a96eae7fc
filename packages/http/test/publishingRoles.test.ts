/** A role on a site and its spaces: a member who adds a space to a site permits the site to publish it. */
import type { Site, SiteSpace, Space } from "@lectern/core"
import { expect, it } from "vitest"
import { ruleStores } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

for (const store of ruleStores) {
  it(`the role \`create\` on a site publishes its spaces, which remain hidden in the application, on ${store.name}`, async () => {
    const server = await startServerOn(store)
    const admin = await server.core.createUser("admin@example.com")
    const organization = await server.core.createOrganization("Acme", admin)
    const guest = await server.core.createUser("guest@example.com")
    await server.core.setMember(organization, guest, null)
    const call = callerOf(server, await server.tokenOf(admin))
    const asGuest = callerOf(server, await server.tokenOf(guest))
    const at = `/orgs/${organization}`
    const createSpace = async () =>
      (await call<Space>("", "POST", `${at}/spaces`, { title: "Secret" })).value.id
    const [space, other] = [await createSpace(), await createSpace()]
    const page = { operation: "insert_page", title: "Plan", document: { markdown: "The secret text." } }
    await call("", "POST", `/spaces/${space}/content`, { changes: [page] })
    const input = { title: "Docs", spaces: [space], visibility: "visitor-auth" }
    const { id, urls } = (await call<Site>("", "POST", `${at}/sites`, input)).value
    const path = `${at}/sites/${id}`
    const url = urls.location.replace(/\/v1\/.*/, `/sites/${organization}/${id}/`)
    const readAsVisitor = async () => {
      const found = await asGuest<{ apiToken?: string }>("", "POST", "/urls/published", { url })
      if (found.value.apiToken === undefined) return undefined
      const asVisitor = callerOf(server, found.value.apiToken)
      return (await asVisitor("", "GET", `/spaces/${space}/content/path/plan?format=markdown`)).text
    }
    const canPublish = async () => [
      (await asGuest("", "POST", `${path}/publish`, {})).status,
      (await asGuest("", "PATCH", path, { visibility: "unlisted" })).status
    ]

    for (const role of ["read", "review"]) {
      await call("", "POST", `${path}/permissions`, { role, users: [guest] })
      expect([role, await canPublish()]).toEqual([role, [403, 403]])
      expect(await readAsVisitor()).toBeUndefined()
    }
    await call("", "POST", `${path}/permissions`, { role: "create", users: [guest] })
    expect(await canPublish()).toEqual([200, 200])
    expect(await readAsVisitor()).toContain("The secret text.")

    // In the application, the space remains hidden, and so does one that is not on the site.
    expect((await asGuest("", "GET", `/spaces/${space}`)).status).toBe(404)
    expect((await asGuest("", "POST", `/spaces/${space}/content`, { changes: [page] })).status).toBe(404)
    expect((await asGuest("", "POST", `${path}/site-spaces`, { spaceId: other })).status).toBe(404)
    const { items } = (await call<{ items: ReadonlyArray<SiteSpace> }>("", "GET", `${path}/site-spaces`))
      .value
    const duplicate = `${path}/site-spaces/${items[0]!.id}/duplicate`
    expect((await asGuest("", "POST", duplicate, {})).status).toBe(404)
  })
}
