/** Revisions and deleted pages: a restored revision has its content again, and archived pages are the deleted ones. */
import { type ContentPage, createWorkspace } from "@lectern/core"
import { runs } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

const step = fc.record({
  kind: fc.constantFrom("insert", "insertBelow", "delete", "rename", "restore", "restorePage", "merge"),
  at: fc.nat(50)
})

const draftStep = fc.record({
  kind: fc.constantFrom("insert", "insertBelow", "insertBelow", "update", "move"),
  at: fc.nat(50)
})
type DraftStep = typeof draftStep extends fc.Arbitrary<infer Step> ? Step : never

/** The ids and titles of pages, with the pages below each. */
const outlineOf = (pages: ReadonlyArray<ContentPage>): unknown =>
  pages.map((page) => [page.id, page.title, "pages" in page ? outlineOf(page.pages ?? []) : []])

const idsOf = (pages: ReadonlyArray<ContentPage>): ReadonlyArray<string> =>
  pages.flatMap((page) => [page.id, ...("pages" in page ? idsOf(page.pages ?? []) : [])])

const stores = {
  memory: () => MemoryStorage.layer(),
  SQLite: () => SqliteStorage.layer({ filename: ":memory:" })
}

describe.each(Object.entries(stores))("the history of a space, in %s", (_, makeStorage) => {
  it("restores the content of every revision, and lists the deleted pages", async () => {
    const workspace = createWorkspace({ storage: makeStorage() })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    type Change = Parameters<typeof ada.content.edit>[0]["input"]["changes"][number]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { id: space } = await ada.spaces.create({ organization })
        const content = { space }
        const pagesNow = async () => (await ada.content.listPages({ content })).pages
        const revisionsNow = async () =>
          (await ada.revisions.list({ space, input: { limit: 1000 } })).items.map(({ id }) => id)
        const archivedNow = async () =>
          (await ada.revisions.listArchivedPages({ space, input: { limit: 1000 } })).items.map(({ id }) => id)
        const seen = new Set<string>()
        const outlines = new Map<string, unknown>()
        for (const [index, { kind, at }] of steps.entries()) {
          const ids = idsOf(await pagesNow())
          const page = ids[at % Math.max(1, ids.length)]
          const edit = (change: Change, of: { space: string; changeRequest?: string } = content) =>
            ada.content.edit({ content: of, input: { changes: [change] } })
          const insert = {
            operation: "insert_page",
            title: `Page ${index}`,
            document: { markdown: "Words." }
          } as const
          if (kind === "insert" || page === undefined) await edit(insert)
          else if (kind === "insertBelow") await edit({ ...insert, into: page })
          else if (kind === "delete") await edit({ operation: "delete_page", page })
          else if (kind === "rename") await edit({ operation: "update_page", page, title: `Name ${index}` })
          else if (kind === "merge") {
            const { id: changeRequest } = await ada.changeRequests.create({ space })
            const proposed = { space, changeRequest }
            await edit({ operation: "delete_page", page }, proposed)
            await edit(insert, proposed)
            await ada.changeRequests.merge(proposed)
          } else if (kind === "restore") {
            const all = await revisionsNow()
            const revision = all[at % all.length]!
            const before = outlineOf((await ada.content.listPages({ content: { space, revision } })).pages)
            const restored = await ada.revisions.restore({ content, revision })
            expect((await ada.spaces.get({ space })).revision).toBe(restored.revision)
            expect(outlineOf(await pagesNow())).toEqual(before)
          } else {
            const archived = await archivedNow()
            const deleted = archived[at % Math.max(1, archived.length)]
            if (deleted === undefined) continue
            await ada.revisions.restorePage({ content, page: deleted })
            expect(idsOf(await pagesNow())).toContain(deleted)
          }
          const pages = await pagesNow()
          for (const id of idsOf(pages)) seen.add(id)
          const current = new Set(idsOf(pages))
          expect((await archivedNow()).toSorted()).toEqual(
            [...seen].filter((id) => !current.has(id)).toSorted()
          )
          const [head] = await revisionsNow()
          outlines.set(head!, outlineOf(pages))
        }
        for (const [revision, outline] of outlines) {
          const { pages } = await ada.content.listPages({ content: { space, revision } })
          expect(outlineOf(pages)).toEqual(outline)
        }
      }),
      runs(25)
    )
  })

  it("restores a deleted page and its descendants by the revision before the deletion, also in a change request", async () => {
    const workspace = createWorkspace({ storage: makeStorage() })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    type Change = Parameters<typeof ada.content.edit>[0]["input"]["changes"][number]
    await fc.assert(
      fc.asyncProperty(
        fc.array(draftStep, { minLength: 1, maxLength: 8 }),
        fc.array(draftStep, { minLength: 2, maxLength: 8 }),
        fc.nat(50),
        fc.boolean(),
        fc.boolean(),
        async (published, drafted, chosen, isDraft, isSaved) => {
          const { id: space } = await ada.spaces.create({ organization })
          const send = async (
            content: { space: string; changeRequest?: string },
            step: DraftStep,
            index: number
          ) => {
            const ids = idsOf((await ada.content.listPages({ content })).pages)
            const page = ids[step.at % Math.max(1, ids.length)]
            const markdown = `Words ${index}, ${step.at}.`
            const change: Change =
              page === undefined || step.kind === "insert"
                ? { operation: "insert_page", title: `Page ${index}`, document: { markdown } }
                : step.kind === "insertBelow"
                  ? { operation: "insert_page", title: `Page ${index}`, into: page, document: { markdown } }
                  : step.kind === "move"
                    ? { operation: "update_page", page, into: null, at: 0 }
                    : {
                        operation: "update_page",
                        page,
                        title: `Name ${index}`,
                        emoji: "1f4d6",
                        document: { markdown }
                      }
            await ada.content.edit({ content, input: { changes: [change], automatic: isSaved } })
          }
          for (const [index, one] of published.entries()) await send({ space }, one, index)
          const content = isDraft
            ? { space, changeRequest: (await ada.changeRequests.create({ space })).id }
            : { space }
          for (const [index, one] of drafted.entries()) await send(content, one, 100 + index)
          const pages = async () => (await ada.content.listPages({ content })).pages
          const readAll = async () =>
            Promise.all(
              idsOf(await pages()).map(async (id) => {
                const page = await ada.content.getPage({ content, page: id, input: { format: "markdown" } })
                // The time of the restoration, and the pages below, which are compared by themselves.
                return { ...page, updatedAt: undefined, pages: undefined }
              })
            )
          const before = [outlineOf(await pages()), await readAll()]
          const ids = idsOf(await pages())
          const page = ids[chosen % ids.length]!
          const { revision } = await ada.content.edit({
            content,
            input: { changes: [{ operation: "delete_page", page }] }
          })
          const { parents } = await ada.content.getRevision({ content: { space, revision } })
          const later = await ada.content.edit({
            content,
            input: { changes: [{ operation: "insert_page", title: "Later" }] }
          })
          await ada.content.edit({
            content,
            input: { changes: [{ operation: "revert_page", page, revision: parents[0]! }] }
          })
          const added = later.changes[0]!
          if (added.object !== "created_page") throw new Error("The edit has created no page.")
          await ada.content.edit({
            content,
            input: { changes: [{ operation: "delete_page", page: added.page.id }] }
          })
          expect([outlineOf(await pages()), await readAll()]).toEqual(before)
        }
      ),
      runs(10)
    )
  })

  it("does not restore a revision of a change request, nor any revision of a locked space", async () => {
    const workspace = createWorkspace({ storage: makeStorage() })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    const { id: space, revision } = await ada.spaces.create({ organization })
    const { id: changeRequest } = await ada.changeRequests.create({ space })
    const change = { operation: "insert_page", document: { markdown: "Words." } } as const
    await ada.content.edit({ content: { space, changeRequest }, input: { changes: [change] } })
    const proposed = await ada.changeRequests.get({ space, changeRequest })
    await expect(
      ada.revisions.restore({ content: { space }, revision: proposed.revision })
    ).rejects.toMatchObject({ _tag: "NotFound" })
    expect((await ada.revisions.list({ space })).items.map(({ id }) => id)).toEqual([revision])
    await ada.content.edit({ content: { space }, input: { changes: [change] } })
    await ada.spaces.update({ space, input: { editMode: "locked" } })
    await expect(ada.revisions.restore({ content: { space }, revision })).rejects.toMatchObject({
      reason: "SpaceLocked"
    })
  })
})
