/** Changes of files and reusable contents in batches: their names, their bytes, and their state in earlier revisions. */
import { createWorkspace } from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

const start = async () => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer() })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  return { ada: workspace.as(user), organization }
}

type Ada = Awaited<ReturnType<typeof start>>["ada"]
type Change = Parameters<Ada["content"]["edit"]>[0]["input"]["changes"][number]

/** A PNG of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const step = fc.record({
  kind: fc.constantFrom(
    "insert",
    "rename",
    "replace",
    "delete",
    "revert",
    "note",
    "deleteNote",
    "revertNote"
  ),
  at: fc.nat(50)
})

describe("a file", () => {
  it("has its state of any revision after it was reverted to it", async () => {
    const { ada, organization } = await start()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const content = { space: (await ada.spaces.create({ organization })).id }
        const stateAt = async (revision?: string) => {
          const { files, reusableContents } = await ada.content.getRevision({
            content: revision === undefined ? content : { ...content, revision }
          })
          return new Map<string, unknown>([
            ...files.map(({ id, name, size, contentType, dimensions }): [string, unknown] => [
              id,
              { name, size, contentType, dimensions }
            ]),
            ...reusableContents.map(({ id, title, document }): [string, unknown] => [id, { title, document }])
          ])
        }
        const files = new Set<string>()
        const notes = new Set<string>()
        const known: Array<string> = []
        for (const [index, { kind, at }] of steps.entries()) {
          const before = await stateAt()
          const pick = (ids: ReadonlySet<string>, isPresent: boolean) => {
            const candidates = [...ids].filter((id) => !isPresent || before.has(id))
            return candidates[at % Math.max(1, candidates.length)]
          }
          const file = pick(files, kind !== "revert")
          const note = pick(notes, kind !== "revertNote")
          const revision = known[at % Math.max(1, known.length)]
          const edit = async (change: Change) => {
            const edited = await ada.content.edit({ content, input: { changes: [change] } })
            known.push(edited.revision)
            for (const { id } of edited.insertedFiles ?? []) files.add(id)
          }
          const id = kind.endsWith("Note") ? note : file
          const isReverting = kind.startsWith("revert") && id !== undefined && revision !== undefined
          const past = isReverting ? (await stateAt(revision)).get(id) : undefined
          if (kind === "note") {
            await edit({ operation: "insert_reusable_content", title: `Note ${index}` })
            for (const added of (await stateAt()).keys()) if (!before.has(added)) notes.add(added)
          } else if (isReverting && past === undefined && !before.has(id)) {
            continue
          } else if (isReverting && kind === "revert") {
            await edit({ operation: "revert_file", file: id, revision })
            expect((await stateAt()).get(id)).toEqual(past)
          } else if (isReverting) {
            await edit({ operation: "revert_reusable_content", reusableContent: id, revision })
            expect((await stateAt()).get(id)).toEqual(past)
          } else if (kind === "rename" && file !== undefined) {
            await edit({ operation: "update_file", file, name: `name-${index}.txt` })
            expect((await stateAt()).get(file)).toEqual({
              ...(before.get(file) as object),
              name: `name-${index}.txt`
            })
          } else if (kind === "replace" && file !== undefined) {
            const other = pick(files, true)!
            await edit({ operation: "update_file", file, bytesOf: other })
            const { name } = before.get(file) as { readonly name: string }
            expect((await stateAt()).get(file)).toEqual({ ...(before.get(other) as object), name })
          } else if (kind === "delete" && file !== undefined) {
            await edit({ operation: "delete_files", files: [file] })
          } else if (kind === "deleteNote" && note !== undefined) {
            await edit({ operation: "delete_reusable_content", reusableContent: note })
          } else {
            const added =
              at % 2 === 0
                ? { name: `${index}.png`, contentType: "image/png", base64: pixel }
                : { name: `${index}.txt`, contentType: "text/plain", base64: btoa(`text ${index}`) }
            await edit({ operation: "insert_files", files: [added] })
          }
          // Everything else is unchanged.
          for (const [other, state] of await stateAt()) {
            if (before.has(other) && other !== id && other !== file && other !== note) {
              expect(state).toEqual(before.get(other))
            }
          }
        }
      }),
      runs(40)
    )
  })

  it("keeps its id if it is replaced by an upload, and is restored with its bytes", async () => {
    const { ada, organization } = await start()
    const content = { space: (await ada.spaces.create({ organization })).id }
    const edit = (changes: ReadonlyArray<Change>) => ada.content.edit({ content, input: { changes } })
    const inserted = await edit([
      {
        operation: "insert_files",
        files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("old") }]
      },
      { operation: "insert_files", files: [{ name: "b.png", contentType: "image/png", base64: pixel }] }
    ])
    const [file, upload] = [inserted.insertedFiles![0]!.id, inserted.insertedFiles![1]!.id]
    await edit([
      { operation: "update_file", file, bytesOf: upload },
      { operation: "delete_files", files: [upload] }
    ])
    expect(await ada.content.getFile({ content, file })).toMatchObject({
      id: file,
      name: "a.txt",
      contentType: "image/png",
      dimensions: { width: 1, height: 1 }
    })
    const reverted = await edit([{ operation: "revert_file", file, revision: inserted.revision }])
    const restored = await ada.content.getFile({ content, file })
    expect(restored).toMatchObject({ name: "a.txt", contentType: "text/plain", size: 3 })
    expect(restored).not.toHaveProperty("dimensions")
    const { items } = await ada.revisions.list({ space: content.space, input: { limit: 1 } })
    expect(items[0]).toMatchObject({ id: reverted.revision, type: "rollback" })
  })

  it("must exist, as the file with the bytes and one of both states of a revert", async () => {
    const { ada, organization } = await start()
    const content = { space: (await ada.spaces.create({ organization })).id }
    const errorOf = (change: Change) =>
      ada.content.edit({ content, input: { changes: [change] } }).then(
        () => "",
        (error: Error) => error.message
      )
    const inserted = await ada.content.edit({
      content,
      input: {
        changes: [
          { operation: "insert_files", files: [{ name: "a.txt", contentType: "text/plain", base64: "aGk=" }] }
        ]
      }
    })
    const file = inserted.insertedFiles![0]!.id
    expect(await errorOf({ operation: "update_file", file: "gone", name: "b.txt" })).toMatch(
      /changes\.0\.file is not the id/
    )
    expect(await errorOf({ operation: "update_file", file, bytesOf: "gone" })).toMatch(
      /changes\.0\.bytesOf is not the id/
    )
    expect(await errorOf({ operation: "revert_file", file: "gone" })).toMatch(
      /changes\.0\.file is not the id of a file of this content or of the revision/
    )
    expect(await errorOf({ operation: "revert_file", file, revision: "gone" })).toMatch(
      /changes\.0\.revision is not the id/
    )
    expect(await errorOf({ operation: "revert_reusable_content", reusableContent: "gone" })).toMatch(
      /changes\.0\.reusableContent is not the id/
    )
  })
})
