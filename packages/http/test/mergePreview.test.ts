/** The preview of a merge: it states what the merge does, and changes nothing. */
import { createWorkspace } from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

const edits = fc.array(
  fc.record({
    page: fc.nat(2),
    kind: fc.constantFrom("text", "title", "move", "delete"),
    value: fc.nat(2)
  }),
  { maxLength: 4 }
)

const rules = fc.constantFrom<"none" | "review" | "subject">("none", "review", "subject")

describe("the preview of a merge", () => {
  it("has the conflicts and the failing rules that the merge has, and changes nothing", async () => {
    const workspace = createWorkspace({ storage: MemoryStorage.layer() })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    type Change = Parameters<typeof ada.content.edit>[0]["input"]["changes"][number]
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(edits, edits, rules, async (theirs, ours, rule) => {
        const { id: space } = await ada.spaces.create({ organization })
        const inserted = await ada.content.edit({
          content: { space },
          input: {
            changes: ["A", "B", "C"].map((title) => ({
              operation: "insert_page",
              title,
              document: { markdown: "One.\n\nTwo.\n" }
            }))
          }
        })
        const ids = inserted.changes.map((change) =>
          "page" in change && typeof change.page !== "string" ? change.page.id : ""
        )
        const { id: changeRequest } = await ada.changeRequests.create({ space, input: { subject: "" } })
        const apply = async (content: { space: string; changeRequest?: string }, list: typeof theirs) => {
          for (const { page: index, kind, value } of list) {
            const page = ids[index]!
            const change: Change =
              kind === "delete"
                ? { operation: "delete_page", page }
                : kind === "title"
                  ? { operation: "update_page", page, title: `Title ${value}` }
                  : kind === "move"
                    ? { operation: "update_page", page, into: value === index ? null : ids[value]! }
                    : { operation: "update_page", page, document: { markdown: `One ${value}.\n\nTwo.\n` } }
            // An edit of a page that was deleted, or a move below itself, is rejected.
            await ada.content.edit({ content, input: { changes: [change] } }).catch(() => undefined)
          }
        }
        await apply({ space }, theirs)
        await apply({ space, changeRequest }, ours)
        const required = rule === "review" ? "require_at_least_one_review" : "require_change_request_subject"
        if (rule !== "none") {
          await ada.spaces.update({
            space,
            input: { mergeRules: { type: "rules", rules: [{ rule: required }] } }
          })
        }
        const before = await ada.spaces.get({ space })
        const preview = await ada.changeRequests.previewMerge({ space, changeRequest })
        expect(await ada.spaces.get({ space })).toEqual(before)
        expect(preview.revision).toBe(before.revision)
        const merged = await ada.changeRequests
          .merge({ space, changeRequest })
          .catch((error: unknown) => error)
        outcomes.add(`${preview.conflicts.length > 0} ${preview.failingRules.length > 0}`)
        if (preview.failingRules.length > 0) {
          expect(merged).toMatchObject({ reason: "MergeRulesFailing", failingRules: preview.failingRules })
        } else if (preview.conflicts.length > 0) {
          expect(merged).toMatchObject({ result: "conflicts", conflicts: preview.conflicts })
        } else {
          expect(merged).toMatchObject({ result: "merge" })
          expect(await ada.changeRequests.previewMerge({ space, changeRequest })).toMatchObject({
            status: "merged",
            conflicts: [],
            failingRules: []
          })
        }
      }),
      runs(60)
    )
    expect(outcomes.size).toBeGreaterThan(1)
  })

  it("is followed by a revision that names the subject of the change request", async () => {
    const workspace = createWorkspace({ storage: MemoryStorage.layer() })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    const { id: space } = await ada.spaces.create({ organization })
    const proposed = await ada.changeRequests.create({ space, input: { subject: "Explain the options" } })
    const content = { space, changeRequest: proposed.id }
    await ada.content.edit({ content, input: { changes: [{ operation: "insert_page", title: "Options" }] } })
    await ada.changeRequests.merge({ space, changeRequest: proposed.id })
    const { items } = await ada.revisions.list({ space })
    expect(items.map(({ changeRequest }) => changeRequest)).toEqual([
      { number: 1, subject: "Explain the options" },
      undefined
    ])
  })
})
