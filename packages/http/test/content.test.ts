/**
 * Content of realistic size: edits, merges, updates and conflicts of change requests in a documentation of over 100
 * pages. Every revision remains readable and unchanged.
 */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { GitBookAPI } from "@gitbook/api"
import type { EditContent, EditedContent, MergeResult } from "@lectern/core"
import { beforeAll, describe, expect, it } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import { ruleDatabases } from "./stores.ts"
import { startServer } from "./support.ts"

/** The documentation of an npm package: a page for each model and each API, with tables and code. */
const folder = join(dirname(createRequire(import.meta.url).resolve("@ory/client/package.json")), "docs")

const documents = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map((name) => ({ name: name.slice(0, -3), text: readFileSync(join(folder, name), "utf8") }))

/** Removes the first heading, which becomes the title of the page. */
const bodyOf = (text: string): string => text.replace(/^\s*# [^\n]*\n+/, "")

type Changes = (typeof EditContent.Encoded)["changes"]

/** The number of pages that one edit inserts. */
const pagesPerEdit = 50

/** The body of a document of the package, without its first heading. */
const packagedBody = (name: string): string =>
  bodyOf(documents.find((document) => document.name === name)!.text)

/** Starts a server with one organization; returns the token and official client of its administrator. */
const startOrganization = async (storage: Parameters<typeof startServer>[0]) => {
  const server = await startServer(storage)
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  return { server, organization, token, client: new GitBookAPI({ endpoint: server.url, authToken: token }) }
}
type Setup = Awaited<ReturnType<typeof startOrganization>>

/** Returns the operations on a space, and a map from each revision to the response that was first read for it. */
const spaceOperations = async (
  { server, client, token }: Setup,
  space: { readonly id: string; readonly revision: string }
) => {
  const post = async <A>(path: string, body: unknown = {}): Promise<A> => {
    const response = await server.fetch(`/v1/spaces/${space.id}${path}`, {
      method: "POST",
      token,
      body: JSON.stringify(body)
    })
    const result = await response.json()
    expect([response.status, response.status === 200 ? "" : result]).toEqual([200, ""])
    return result as A
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
    expect(response.headers.get("etag")).not.toBeNull()
    return await response.text()
  }
  const revisions = new Map<string, string>()
  const recordRevision = async <A extends { readonly revision: string }>(changed: A): Promise<A> => {
    revisions.set(changed.revision, await readRevision(changed.revision))
    return changed
  }
  await recordRevision(space)
  const edit = async (changes: Changes) => recordRevision(await post<EditedContent>("/content", { changes }))
  const propose = async (request: string, changes: Changes) =>
    recordRevision(await post<{ revision: string }>(`/change-requests/${request}/content`, { changes }))
  return { client, space, post, get, edit, propose, readRevision, revisions, recordRevision }
}

/** Creates a space with the documentation: two groups, and a page for each file. */
const fillSpace = async (setup: Setup) => {
  const { client, organization } = setup
  const space = (await client.orgs.createSpace(organization, { title: "Reference" })).data
  const { edit, revisions, readRevision } = await spaceOperations(setup, space)
  const groups = await edit([
    { operation: "insert_page", type: "group", title: "APIs", ref: "apis" },
    { operation: "insert_page", type: "group", title: "Models", ref: "models" }
  ])
  const [apis, models] = groups.changes.map((change) =>
    change.object === "created_page" ? change.page.id : ""
  ) as [string, string]
  const ids = new Map<string, string>()
  for (let start = 0; start < documents.length; start += pagesPerEdit) {
    const { changes } = await edit(
      documents.slice(start, start + pagesPerEdit).map(({ name, text }) => ({
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
type FilledSpace = Awaited<ReturnType<typeof fillSpace>>

/** Duplicates the filled space for a single test. */
const copySpace = async (setup: Setup, filledSpace: FilledSpace) => {
  const copy = (await setup.client.spaces.duplicateSpace(filledSpace.id)).data
  return {
    ...(await spaceOperations(setup, copy)),
    apis: filledSpace.apis,
    ids: filledSpace.ids,
    idOf: filledSpace.idOf
  }
}

const identityBody = packagedBody("Identity")
const withIntro = (intro: string) => identityBody.replace(/^[^\n]*\n/, `${intro}\n`)

/**
 * Creates three change requests of the same revision. The first edits a page, inserts one and deletes one; the second
 * moves a page and edits the end of the page that the first edits; the third edits the same line as the first, and the
 * page that the first deletes.
 */
const proposeChanges = async (copy: Awaited<ReturnType<typeof copySpace>>) => {
  const { client, space, idOf, apis, propose, recordRevision } = copy
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
    return recordRevision(data)
  }
  const update = async (request: string) => {
    const { data } = await client.spaces.updateChangeRequest(space.id, request)
    expect(data.result).toBe("update")
    return recordRevision(data)
  }
  const read = async (request: string) => (await client.spaces.getChangeRequestById(space.id, request)).data
  return { ...copy, first, second, third, merge, update, read }
}

for (const store of ruleDatabases) {
  describe(`a documentation of over 100 pages, on ${store.name}`, () => {
    let setup: Setup
    let filledSpace: FilledSpace
    beforeAll(async () => {
      const cleanUps: Array<() => void> = []
      setup = await startOrganization(await store.make((cleanUp) => cleanUps.push(cleanUp)))
      filledSpace = await fillSpace(setup)
      return async () => {
        await setup.server.close()
        for (const cleanUp of cleanUps) cleanUp()
      }
    })
    const startDocumentation = () => copySpace(setup, filledSpace)
    const startChangeRequests = async () => proposeChanges(await startDocumentation())

    it("has a page for each document, in its group", async () => {
      const { client, space, get, ids } = await startDocumentation()
      expect(documents.length).toBeGreaterThan(100)
      expect(ids.size).toBe(documents.length)
      const pages = (await client.spaces.listPages(space.id)).data.pages
      const pagesIn = (title: string) => {
        const group = pages.find((page) => page.title === title)
        return group !== undefined && "pages" in group ? (group.pages ?? []) : []
      }
      expect(pagesIn("APIs").length + pagesIn("Models").length).toBe(documents.length)
      expect(pagesIn("APIs").map(({ title }) => title)).toContain("IdentityApi")
      await get("listPages", "/content/pages")
      await get("getCurrentRevision", "/content")
    })

    it("returns the Markdown that was written, except for links to pages of the same edit", async () => {
      const { client, space, get, idOf } = await startDocumentation()
      for (const name of ["Identity", "OAuth2Client", "ErrorOAuth2"]) {
        const page = await get<{ markdown: string; path: string; title: string }>(
          "getPageById",
          `/content/page/${idOf(name)}?format=markdown`
        )
        expect(page.title).toBe(name)
        expect(page.path).toBe(`models/${name.toLowerCase()}`)
        const unlinked = (markdown: string) => markdown.replaceAll(/\]\((\/pages\/\w+|\w+\.md)\)/g, "]()")
        expect(unlinked(page.markdown)).toBe(unlinked(packagedBody(name)))
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

    it("reports each conflict of a change request, and changes nothing", async () => {
      const { client, space, post, idOf, first, second, merge } = await startChangeRequests()
      await merge(first.id)
      const last = await merge(second.id)
      for (const operation of ["merge", "update"]) {
        const response = await post<Extract<typeof MergeResult.Type, { result: "conflicts" }>>(
          `/change-requests/3/${operation}`
        )
        expect(response.result).toBe("conflicts")
        expect(response.conflicts).toHaveLength(2)
        expect(response.conflicts).toEqual(
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
      const reverted = await client.spaces.getPageById(space.id, page, { format: "markdown" })
      const initial = await get<{ markdown: string }>(
        "getPageInRevisionById",
        `/revisions/${revision}/page/${page}?format=markdown`
      )
      expect(reverted.data).toMatchObject({ markdown: initial.markdown })
    })

    it("retains each revision unchanged", async () => {
      const { edit, idOf, first, second, merge, update, readRevision, revisions } =
        await startChangeRequests()
      await merge(first.id)
      await update(second.id)
      await merge(second.id)
      await edit([{ operation: "revert_page", page: idOf("Identity"), revision: first.revisionInitial }])
      expect([filledSpace.revisions.size, revisions.size]).toEqual([
        2 + Math.ceil(documents.length / pagesPerEdit),
        8
      ])
      for (const space of [filledSpace, { revisions, readRevision }]) {
        for (const [revision, before] of space.revisions) {
          const now = await space.readRevision(revision)
          expect(now === before || JSON.parse(now).mergedFrom !== undefined).toBe(true)
          expect(JSON.parse(now).pages).toEqual(JSON.parse(before).pages)
        }
      }
    })
  })
}
