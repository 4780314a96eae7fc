/**
 * Content on the scale of a real documentation: a space is filled with it, change requests edit it, merge, are updated,
 * and conflict; and every revision of it can still be read as it was.
 */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { GitBookAPI } from "@gitbook/api"
import type { EditContent, EditedContent, MergeResult } from "@lectern/core"
import { beforeAll, describe, expect, it } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import { stores } from "./stores.ts"
import { startServer } from "./support.ts"

/** The documentation of a well-known package: a page for each model and each API, with tables and code. */
const folder = join(dirname(createRequire(import.meta.url).resolve("@ory/client/package.json")), "docs")

const documents = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map((name) => ({ name: name.slice(0, -3), text: readFileSync(join(folder, name), "utf8") }))

/** Removes the first heading, which becomes the title. */
const bodyOf = (text: string): string => text.replace(/^\s*# [^\n]*\n+/, "")

type Changes = (typeof EditContent.Encoded)["changes"]

/** The number of pages per edit. */
const pagesOfAnEdit = 50

/** The body of a document of the package, without the first heading. */
const shippedBody = (name: string): string =>
  bodyOf(documents.find((document) => document.name === name)!.text)

/** A server with one organization, and the token and official client of its administrator. */
const startOrganization = async (storage: Parameters<typeof startServer>[0]) => {
  const server = await startServer(storage)
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  return { server, organization, token, client: new GitBookAPI({ endpoint: server.url, authToken: token }) }
}
type World = Awaited<ReturnType<typeof startOrganization>>

/** A space with helpers, and its revisions as they were first read. */
const useSpace = async (
  { server, client, token }: World,
  space: { readonly id: string; readonly revision: string }
) => {
  const post = async <A>(path: string, body: unknown = {}): Promise<A> => {
    const response = await server.fetch(`/v1/spaces/${space.id}${path}`, {
      method: "POST",
      token,
      body: JSON.stringify(body)
    })
    const answer = await response.json()
    expect([response.status, response.status === 200 ? "" : answer]).toEqual([200, ""])
    return answer as A
  }
  const get = async <A>(operationId: string, path: string): Promise<A> => {
    const response = await server.fetch(`/v1/spaces/${space.id}${path}`, { token })
    const body = await response.json()
    expect([path, response.status]).toEqual([path, 200])
    expect([operationId, validatePublicResponse(operationId, 200, body)]).toEqual([operationId, undefined])
    return body as A
  }

  const readRevision = async (revision: string) => {
    const response = await server.fetch(`/v1/spaces/${space.id}/revisions/${revision}`, { token })
    expect(response.headers.get("cache-control")).toContain("immutable")
    return await response.text()
  }
  const revisions = new Map<string, string>()
  const remember = async <A extends { readonly revision: string }>(changed: A): Promise<A> => {
    revisions.set(changed.revision, await readRevision(changed.revision))
    return changed
  }
  await remember(space)
  const edit = async (changes: Changes) => remember(await post<EditedContent>("/content", { changes }))
  const propose = async (request: string, changes: Changes) =>
    remember(await post<{ revision: string }>(`/change-requests/${request}/content`, { changes }))
  return { client, space, post, get, edit, propose, readRevision, revisions, remember }
}

/** A space filled with the documentation: two groups, and a page for each file. */
const fillSpace = async (world: World) => {
  const { client, organization } = world
  const space = (await client.orgs.createSpace(organization, { title: "Reference" })).data
  const { edit, revisions, readRevision } = await useSpace(world, space)
  const groups = await edit([
    { operation: "insert_page", type: "group", title: "APIs", ref: "apis" },
    { operation: "insert_page", type: "group", title: "Models", ref: "models" }
  ])
  const [apis, models] = groups.changes.map((change) =>
    change.object === "created_page" ? change.page.id : ""
  ) as [string, string]
  const ids = new Map<string, string>()
  for (let start = 0; start < documents.length; start += pagesOfAnEdit) {
    const { changes } = await edit(
      documents.slice(start, start + pagesOfAnEdit).map(({ name, text }) => ({
        operation: "insert_page",
        into: name.endsWith("Api") ? apis : models,
        ref: name,
        document: { markdown: text }
      }))
    )
    for (const change of changes) {
      if (change.object === "created_page") ids.set(change.ref!, change.page.id)
    }
  }
  return { id: space.id, apis, ids, idOf: (name: string) => ids.get(name)!, revisions, readRevision }
}
type Filled = Awaited<ReturnType<typeof fillSpace>>

/** A copy of the filled space for one test. */
const copySpace = async (world: World, filled: Filled) => {
  const copy = (await world.client.spaces.duplicateSpace(filled.id)).data
  return { ...(await useSpace(world, copy)), apis: filled.apis, ids: filled.ids, idOf: filled.idOf }
}

const identityBody = shippedBody("Identity")
const withIntro = (intro: string) => identityBody.replace(/^[^\n]*\n/, `${intro}\n`)

/**
 * The same, with three change requests of one revision. The first edits a page, inserts one and deletes one; the second
 * moves a page and edits the end of the first's; the third edits the line that the first edits, and what it deletes.
 */
const proposeChanges = async (copy: Awaited<ReturnType<typeof copySpace>>) => {
  const { client, space, idOf, apis, propose, remember } = copy
  const open = async (subject: string) =>
    (await client.spaces.createChangeRequest(space.id, { subject })).data
  const [first, second, third] = [await open("Intro"), await open("Moves"), await open("Other intro")]
  const page = idOf("Identity")
  await propose(first.id, [
    { operation: "update_page", page, document: { markdown: withIntro("Who somebody is.") } },
    { operation: "insert_page", title: "Glossary", at: 0, document: { markdown: "Words.\n" } },
    { operation: "delete_page", page: idOf("Warning") }
  ])
  await propose("2", [
    { operation: "update_page", page: idOf("Session"), into: apis, at: 0, title: "Sessions" },
    { operation: "update_page", page, document: { markdown: `${identityBody}\nSee also sessions.\n` } }
  ])
  await propose(third.id, [
    { operation: "update_page", page, document: { markdown: withIntro("A human being.") } },
    { operation: "update_page", page: idOf("Warning"), description: "Take care" }
  ])
  const merge = async (request: string) => {
    const { data } = await client.spaces.mergeChangeRequest(space.id, request)
    expect(data.result).toBe("merge")
    return remember(data)
  }
  const update = async (request: string) => {
    const { data } = await client.spaces.updateChangeRequest(space.id, request)
    expect(data.result).toBe("update")
    return remember(data)
  }
  const read = async (request: string) => (await client.spaces.getChangeRequestById(space.id, request)).data
  return { ...copy, first, second, third, merge, update, read }
}

for (const store of stores) {
  describe(`documentation with over 100 pages, on ${store.name}`, () => {
    let world: World
    let filled: Filled
    beforeAll(async () => {
      const cleanUps: Array<() => void> = []
      world = await startOrganization(await store.make((cleanUp) => cleanUps.push(cleanUp)))
      filled = await fillSpace(world)
      return async () => {
        await world.server.close()
        for (const cleanUp of cleanUps) cleanUp()
      }
    })
    const startDocumentation = () => copySpace(world, filled)
    const startChangeRequests = async () => proposeChanges(await startDocumentation())

    it("has a page for each document, in its group", async () => {
      const { client, space, get, ids } = await startDocumentation()
      expect(documents.length).toBeGreaterThan(100)
      expect(ids.size).toBe(documents.length)
      const pages = (await client.spaces.listPages(space.id)).data.pages
      const under = (title: string) => {
        const group = pages.find((page) => page.title === title)
        return group !== undefined && "pages" in group ? (group.pages ?? []) : []
      }
      expect(under("APIs").length + under("Models").length).toBe(documents.length)
      expect(under("APIs").map(({ title }) => title)).toContain("IdentityApi")
      await get("listPages", "/content/pages")
      await get("getCurrentRevision", "/content")
    })

    it("is returned as written, except for links to pages of the same edit", async () => {
      const { client, space, get, idOf } = await startDocumentation()
      for (const name of ["Identity", "OAuth2Client", "ErrorOAuth2"]) {
        const page = await get<{ markdown: string; path: string; title: string }>(
          "getPageById",
          `/content/page/${idOf(name)}?format=markdown`
        )
        expect(page.title).toBe(name)
        expect(page.path).toBe(`models/${name.toLowerCase()}`)
        const unlinked = (markdown: string) => markdown.replaceAll(/\]\((\/pages\/\w+|\w+\.md)\)/g, "]()")
        expect(unlinked(page.markdown)).toBe(unlinked(shippedBody(name)))
        const found = await client.spaces.getPageByPath(space.id, page.path)
        expect(found.data.id).toBe(idOf(name))
        await get("getPageByPath", `/content/path/${encodeURIComponent(page.path)}?format=document`)
      }
    })

    it("numbers its change requests, which list their changes", async () => {
      const { get, first, second, third } = await startChangeRequests()
      expect([first.number, second.number, third.number]).toEqual([1, 2, 3])
      expect(first).toMatchObject({ status: "draft", outdated: false, comments: 0 })
      const { changes } = await get<{ changes: ReadonlyArray<{ type: string; page: { title: string } }> }>(
        "getChangeRequestChanges",
        `/change-requests/${first.id}/changes`
      )
      expect(changes.map(({ type, page }) => `${type} ${page.title}`).sort()).toEqual([
        "page_created Glossary",
        "page_deleted Warning",
        "page_edited Identity"
      ])
    })

    it("merges an open change request once", async () => {
      const { client, space, get, first, merge, read } = await startChangeRequests()
      await client.spaces.updateChangeRequestById(space.id, first.id, { status: "open" })
      const listed = await get<{ count: number; items: ReadonlyArray<{ id: string }> }>(
        "listChangeRequestsForSpace",
        "/change-requests"
      )
      expect([listed.count, listed.items[0]?.id]).toEqual([1, first.id])
      const merged = await merge(first.id)
      expect(await read(first.id)).toMatchObject({
        status: "merged",
        revisionMerged: merged.revision,
        outdated: false
      })
      await expect(client.spaces.mergeChangeRequest(space.id, first.id)).rejects.toMatchObject({ code: 409 })
    })

    it("merges edits of different lines of a page once a change request is updated", async () => {
      const { client, space, idOf, first, second, merge, update, read } = await startChangeRequests()
      const merged = await merge(first.id)
      expect((await read("2")).outdated).toBe(true)
      await update(second.id)
      expect(await read("2")).toMatchObject({ outdated: false, revisionMergedAncestor: merged.revision })
      await merge(second.id)
      const both = await client.spaces.getPageById(space.id, idOf("Identity"), { format: "markdown" })
      expect(both.data).toMatchObject({
        markdown: `${withIntro("Who somebody is.")}\nSee also sessions.\n`
      })
      const moved = await client.spaces.getPageByPath(space.id, "apis/session")
      expect(moved.data).toMatchObject({ id: idOf("Session"), title: "Sessions" })
    })

    it("reports all conflicts of a change request, and writes nothing", async () => {
      const { client, space, post, idOf, first, second, merge } = await startChangeRequests()
      await merge(first.id)
      const last = await merge(second.id)
      for (const operation of ["merge", "update"]) {
        const refused = await post<Extract<typeof MergeResult.Type, { result: "conflicts" }>>(
          `/change-requests/3/${operation}`
        )
        expect(refused.result).toBe("conflicts")
        expect(refused.conflicts).toHaveLength(2)
        expect(refused.conflicts).toEqual(
          expect.arrayContaining([
            {
              kind: "body",
              page: { id: idOf("Identity"), title: "Identity" },
              regions: [
                {
                  line: 1,
                  base: [identityBody.split("\n")[0]],
                  primary: ["Who somebody is."],
                  change: ["A human being."]
                }
              ]
            },
            {
              kind: "deletion",
              page: { id: idOf("Warning"), title: "Warning" },
              primary: "deleted",
              change: "edited"
            }
          ])
        )
      }
      const after = (await client.spaces.getSpaceById(space.id)).data
      expect(after).toMatchObject({
        revision: last.revision,
        changeRequests: 3,
        changeRequestsOpen: 0,
        changeRequestsDraft: 1
      })
    })

    it("reverts a page to an earlier revision", async () => {
      const { client, space, get, edit, idOf, first, merge } = await startChangeRequests()
      await merge(first.id)
      const page = idOf("Identity")
      const revision = first.revisionInitial
      await edit([{ operation: "revert_page", page, revision }])
      const back = await client.spaces.getPageById(space.id, page, { format: "markdown" })
      const initial = await get<{ markdown: string }>(
        "getPageInRevisionById",
        `/revisions/${revision}/page/${page}?format=markdown`
      )
      expect(back.data).toMatchObject({ markdown: initial.markdown })
    })

    it("retains each revision unchanged", async () => {
      const { edit, idOf, first, second, merge, update, readRevision, revisions } =
        await startChangeRequests()
      await merge(first.id)
      await update(second.id)
      await merge(second.id)
      await edit([{ operation: "revert_page", page: idOf("Identity"), revision: first.revisionInitial }])
      expect([filled.revisions.size, revisions.size]).toEqual([
        2 + Math.ceil(documents.length / pagesOfAnEdit),
        8
      ])
      for (const space of [filled, { revisions, readRevision }]) {
        for (const [revision, before] of space.revisions) {
          const now = await space.readRevision(revision)
          expect(now === before || JSON.parse(now).mergedFrom !== undefined).toBe(true)
          expect(JSON.parse(now).pages).toEqual(JSON.parse(before).pages)
        }
      }
    })
  })
}
