/**
 * The whole story of content, as users live it: a space is filled with a real documentation, change requests edit it,
 * merge, are updated, and conflict; and every revision of it can still be read as it was.
 */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { GitBookAPI } from "@gitbook/api"
import type { EditContent, EditedContent, MergeResult } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { differences } from "./contract.ts"
import { stores } from "./stores.ts"
import { startServer } from "./support.ts"

/** The documentation that a well-known package ships: a page for each model and each API, with tables and code. */
const folder = join(dirname(createRequire(import.meta.url).resolve("@ory/client/package.json")), "docs")

const documents = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map((name) => ({ name: name.slice(0, -3), text: readFileSync(join(folder, name), "utf8") }))

/** What is left of a text when its first heading has become the title. */
const bodyOf = (text: string): string => text.replace(/^\s*# [^\n]*\n+/, "")

type Changes = (typeof EditContent.Encoded)["changes"]

describe("the story of a documentation", () => {
  for (const { name, make } of stores) {
    it(`is kept whole, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        expect(documents.length).toBeGreaterThan(100)
        const ada = await server.core.createUser("ada@example.com")
        const organization = await server.core.createOrganization("Acme", ada)
        const token = await server.tokenOf(ada)
        const client = new GitBookAPI({ endpoint: server.url, authToken: token })
        const space = (await client.orgs.createSpace(organization, { title: "Reference" })).data

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
        const edit = (changes: Changes) => post<EditedContent>("/content", { changes })
        const propose = (request: string, changes: Changes) =>
          post<{ revision: string }>(`/change-requests/${request}/content`, { changes })
        const get = async <A>(operationId: string, path: string): Promise<A> => {
          const response = await server.fetch(`/v1/spaces/${space.id}${path}`, { token })
          const body = await response.json()
          expect([path, response.status]).toEqual([path, 200])
          expect([operationId, differences(operationId, 200, body)]).toEqual([operationId, undefined])
          return body as A
        }

        // Every revision with what was seen of it, to be compared at the end.
        const seen = new Map<string, string>()
        const look = async (revision: string) => {
          const response = await server.fetch(`/v1/spaces/${space.id}/revisions/${revision}`, { token })
          expect(response.headers.get("cache-control")).toContain("immutable")
          return await response.text()
        }
        const remember = async (revision: string) => {
          seen.set(revision, await look(revision))
          return revision
        }
        await remember(space.revision)

        // It is filled: two groups, a page for each file.
        const groups = await edit([
          { operation: "insert_page", type: "group", title: "APIs", ref: "apis" },
          { operation: "insert_page", type: "group", title: "Models", ref: "models" }
        ])
        const [apis, models] = groups.changes.map((change) =>
          change.object === "created_page" ? change.page.id : ""
        ) as [string, string]
        await remember(groups.revision)
        const ids = new Map<string, string>()
        for (let start = 0; start < documents.length; start += 50) {
          const some = documents.slice(start, start + 50)
          const edited = await edit(
            some.map(({ name, text }) => ({
              operation: "insert_page",
              into: name.endsWith("Api") ? apis : models,
              ref: name,
              document: { markdown: text }
            }))
          )
          await remember(edited.revision)
          for (const change of edited.changes) {
            if (change.object === "created_page") ids.set(change.ref!, change.page.id)
          }
        }
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

        // What was written is what is read, but for links that lead to pages of the same batch.
        for (const name of ["Identity", "OAuth2Client", "ErrorOAuth2"]) {
          const { text } = documents.find((document) => document.name === name)!
          const page = await get<{ markdown: string; path: string; title: string }>(
            "getPageById",
            `/content/page/${ids.get(name)}?format=markdown`
          )
          expect(page.title).toBe(name)
          expect(page.path).toBe(`models/${name.toLowerCase()}`)
          const unlinked = (markdown: string) => markdown.replaceAll(/\]\((\/pages\/\w+|\w+\.md)\)/g, "]()")
          expect(unlinked(page.markdown)).toBe(unlinked(bodyOf(text)))
          const found = await client.spaces.getPageByPath(space.id, page.path)
          expect(found.data.id).toBe(ids.get(name))
          await get("getPageByPath", `/content/path/${encodeURIComponent(page.path)}?format=document`)
        }

        // Three change requests are made of the same revision.
        const open = async (subject: string) =>
          (await client.spaces.createChangeRequest(space.id, { subject })).data
        const [first, second, third] = [await open("Intro"), await open("Moves"), await open("Other intro")]
        expect([first.number, second.number, third.number]).toEqual([1, 2, 3])
        expect(first).toMatchObject({ status: "draft", outdated: false, comments: 0 })

        const identity = ids.get("Identity")!
        const session = ids.get("Session")!
        const identityText = bodyOf(documents.find(({ name }) => name === "Identity")!.text)
        const withIntro = (intro: string) => identityText.replace(/^[^\n]*\n/, `${intro}\n`)
        await remember(
          (
            await propose(first.id, [
              {
                operation: "update_page",
                page: identity,
                document: { markdown: withIntro("Who somebody is.") }
              },
              { operation: "insert_page", title: "Glossary", at: 0, document: { markdown: "Words.\n" } },
              { operation: "delete_page", page: ids.get("Warning")! }
            ])
          ).revision
        )
        await remember(
          (
            await propose("2", [
              { operation: "update_page", page: session, into: apis, at: 0, title: "Sessions" },
              {
                operation: "update_page",
                page: identity,
                document: { markdown: `${identityText}\nSee also sessions.\n` }
              }
            ])
          ).revision
        )
        await remember(
          (
            await propose(third.id, [
              {
                operation: "update_page",
                page: identity,
                document: { markdown: withIntro("A human being.") }
              },
              { operation: "update_page", page: ids.get("Warning")!, description: "Take care" }
            ])
          ).revision
        )

        const changes = await get<{ changes: ReadonlyArray<{ type: string; page: { title: string } }> }>(
          "getChangeRequestChanges",
          `/change-requests/${first.id}/changes`
        )
        expect(changes.changes.map(({ type, page }) => `${type} ${page.title}`).sort()).toEqual([
          "page_created Glossary",
          "page_deleted Warning",
          "page_edited Identity"
        ])

        // One merges.
        await client.spaces.updateChangeRequestById(space.id, first.id, { status: "open" })
        const listed = await get<{ count: number; items: ReadonlyArray<{ id: string }> }>(
          "listChangeRequestsForSpace",
          "/change-requests"
        )
        expect([listed.count, listed.items[0]?.id]).toEqual([1, first.id])
        const merged = (await client.spaces.mergeChangeRequest(space.id, first.id)).data
        expect(merged.result).toBe("merge")
        await remember(merged.revision)
        expect((await client.spaces.getChangeRequestById(space.id, first.id)).data).toMatchObject({
          status: "merged",
          revisionMerged: merged.revision,
          outdated: false
        })
        await expect(client.spaces.mergeChangeRequest(space.id, first.id)).rejects.toMatchObject({
          code: 409
        })

        // One is updated, with lines of both in the same page, and merges.
        expect((await client.spaces.getChangeRequestById(space.id, "2")).data.outdated).toBe(true)
        const updated = (await client.spaces.updateChangeRequest(space.id, second.id)).data
        expect(updated.result).toBe("update")
        await remember(updated.revision)
        expect((await client.spaces.getChangeRequestById(space.id, "2")).data).toMatchObject({
          outdated: false,
          revisionMergedAncestor: merged.revision
        })
        const secondMerge = (await client.spaces.mergeChangeRequest(space.id, second.id)).data
        expect(secondMerge.result).toBe("merge")
        await remember(secondMerge.revision)
        const both = await client.spaces.getPageById(space.id, identity, { format: "markdown" })
        expect(both.data).toMatchObject({
          markdown: `${withIntro("Who somebody is.")}\nSee also sessions.\n`
        })
        const moved = await client.spaces.getPageByPath(space.id, "apis/session")
        expect(moved.data).toMatchObject({ id: session, title: "Sessions" })

        // One conflicts, and says exactly why.
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
                page: { id: identity, title: "Identity" },
                regions: [
                  {
                    line: 1,
                    base: [identityText.split("\n")[0]],
                    primary: ["Who somebody is."],
                    change: ["A human being."]
                  }
                ]
              },
              {
                kind: "deletion",
                page: { id: ids.get("Warning"), title: "Warning" },
                primary: "deleted",
                change: "edited"
              }
            ])
          )
        }
        const after = (await client.spaces.getSpaceById(space.id)).data
        expect(after).toMatchObject({
          revision: secondMerge.revision,
          changeRequests: 3,
          changeRequestsOpen: 0,
          changeRequestsDraft: 1
        })

        // A page goes back to what it was before all of this.
        const initial = first.revisionInitial
        await remember(
          (await edit([{ operation: "revert_page", page: identity, revision: initial }])).revision
        )
        const back = await client.spaces.getPageById(space.id, identity, { format: "markdown" })
        expect(back.data).toMatchObject({
          markdown: (
            (await get(
              "getPageInRevisionById",
              `/revisions/${initial}/page/${identity}?format=markdown`
            )) as {
              markdown: string
            }
          ).markdown
        })

        // Every revision is as it was, whole.
        for (const [revision, before] of seen) {
          const now = await look(revision)
          expect(now === before || JSON.parse(now).mergedFrom !== undefined).toBe(true)
          expect(JSON.parse(now).pages).toEqual(JSON.parse(before).pages)
        }
      } finally {
        await server.close()
      }
    })
  }
})
