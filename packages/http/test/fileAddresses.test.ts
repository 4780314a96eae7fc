/** The URLs of files: valid while the viewer that they were created for can read the space. */
import { Content, CurrentUser, FileId, OrganizationId, SiteId, SpaceId, visitorIdentity } from "@lectern/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { startServerOn } from "./support.ts"

interface Created {
  readonly id: string
}

/** Starts a server with a space that has a file, and a reader of the space. */
const start = async (store = memory) => {
  const server = await startServerOn(store)
  const ada = await server.core.createUser("ada@example.com")
  const bob = await server.core.createUser("bob@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  await server.core.setMember(organization, bob, "read")
  const [owner, reader] = [await server.tokenOf(ada), await server.tokenOf(bob)]
  const call = async <A = Created>(
    method: string,
    path: string,
    body?: unknown,
    token = owner
  ): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token, ...init })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const space = await call("POST", `/orgs/${organization}/spaces`, {})
  const content = `/spaces/${space.id}/content`
  const { insertedFiles } = await call<{ insertedFiles: ReadonlyArray<Created & { downloadURL: string }> }>(
    "POST",
    content,
    {
      changes: [
        {
          operation: "insert_files",
          files: [{ name: "a.txt", contentType: "text/plain", base64: "aGVsbG8=" }]
        }
      ]
    }
  )
  const file = insertedFiles[0]!
  // Visitors see only the files that pages contain.
  const markdown = `[A](/files/${file.id})`
  await call("POST", content, { changes: [{ operation: "insert_page", document: { markdown } }] })
  const addressFor = async (token: string) =>
    (await call<{ downloadURL: string }>("GET", `${content}/files/${file.id}`, undefined, token)).downloadURL
  /** Downloads a URL without credentials, and returns the status. */
  const statusOf = async (url: string): Promise<number> => {
    const { pathname, search } = new URL(url)
    return (await server.fetch(pathname + search)).status
  }
  return { server, ada, bob, organization, owner, reader, call, space, content, file, addressFor, statusOf }
}

describe("the URL of a file", () => {
  for (const store of ruleStores) {
    it(`ends with the access of its user, and returns with it, on ${store.name}`, async () => {
      const { server, bob, organization, owner, reader, call, space, addressFor, statusOf } =
        await start(store)
      const [hers, his] = [await addressFor(owner), await addressFor(reader)]
      expect(hers).not.toBe(his)
      expect([await statusOf(hers), await statusOf(his)]).toEqual([200, 200])
      await call("DELETE", `/orgs/${organization}/members/${bob}`)
      expect([await statusOf(hers), await statusOf(his)]).toEqual([200, 404])
      await server.core.setMember(organization, bob, null)
      expect(await statusOf(his)).toBe(404)
      await call("POST", `/spaces/${space.id}/permissions`, { role: "read", users: [bob] })
      expect(await statusOf(his)).toBe(200)
      await call("DELETE", `/spaces/${space.id}/permissions/users/${bob}`)
      expect(await statusOf(his)).toBe(404)
      await call("DELETE", `/spaces/${space.id}`)
      expect(await statusOf(hers)).toBe(404)
      await call("POST", `/spaces/${space.id}/restore`)
      expect(await statusOf(hers)).toBe(200)
    })
  }

  it("is not valid for another user, another file or another type than the signed one", async () => {
    const { ada, bob, addressFor, reader, statusOf } = await start()
    const his = await addressFor(reader)
    for (const forged of [
      his.replace(bob, ada),
      his.replace(`user.${bob}`, "until.99999999999"),
      his.replace(/for=[^&]*&/, ""),
      his.replace("text%2Fplain", "text%2Fhtml"),
      his.replace("a.txt", "b.txt")
    ]) {
      expect(forged).not.toBe(his)
      expect(await statusOf(forged)).toBe(404)
    }
  })

  it("of a revision has the viewer of each caller, although revisions are cached", async () => {
    const { call, content, owner, reader, bob, ada } = await start()
    type Revision = { files: ReadonlyArray<{ downloadURL: string }> }
    for (const [token, user] of [
      [owner, ada],
      [reader, bob],
      [owner, ada]
    ] as const) {
      const { files } = await call<Revision>("GET", content, undefined, token)
      expect(new URL(files[0]!.downloadURL).searchParams.get("for")).toBe(`user.${user}`)
    }
  })

  it("for a visitor ends with their share link, and with the publication of the site", async () => {
    const { server, organization, call, space, file, statusOf } = await start()
    const path = `/orgs/${organization}/sites`
    const site = await call("POST", path, { title: "Docs", spaces: [space.id], visibility: "share-link" })
    await call("POST", `${path}/${site.id}/publish`)
    const link = await call("POST", `${path}/${site.id}/share-links`, { name: "Friends" })
    const { items } = await call<{ items: ReadonlyArray<Created & { urls: { published: string } }> }>(
      "GET",
      `${path}/${site.id}/share-links`
    )
    const published = new URL(items.find(({ id }) => id === link.id)!.urls.published)
    const shareKey = published.pathname
      .split("/")
      .filter((part) => part !== "")
      .at(-1)!
    const { downloadURL } = await server.core.runtime.runPromise(
      Effect.flatMap(Content, (content) =>
        content.getFile.decoded({
          content: { space: SpaceId.make(space.id) },
          file: FileId.make(file.id),
          input: {}
        })
      ).pipe(
        Effect.provideService(
          CurrentUser,
          visitorIdentity({
            organization: OrganizationId.make(organization),
            site: SiteId.make(site.id),
            shareKey
          })
        )
      )
    )
    expect(await statusOf(downloadURL)).toBe(200)
    await call("PATCH", `${path}/${site.id}/share-links/${link.id}`, { active: false })
    expect(await statusOf(downloadURL)).toBe(404)
    await call("PATCH", `${path}/${site.id}/share-links/${link.id}`, { active: true })
    expect(await statusOf(downloadURL)).toBe(200)
    await call("POST", `${path}/${site.id}/unpublish`)
    expect(await statusOf(downloadURL)).toBe(404)
  })
})
