/** Links by path of merged content: each refers to the page that it refers to on the side that wrote it. */
import type { EditableContent, PageId } from "@lectern/core"
import { runs } from "@lectern/harness"
import fc from "fast-check"
import { expect, it } from "vitest"
import { openWorkspace } from "./support/embedding.ts"

const pageCount = 5
const index = fc.nat(pageCount - 1)
const step = fc.oneof(
  fc.record({ do: fc.constant("move" as const), page: index, into: index }),
  fc.record({
    do: fc.constant("slug" as const),
    page: index,
    slug: fc.constantFrom("a", "b", "c", "p0", "p1")
  }),
  fc.record({
    do: fc.constant("link" as const),
    page: index,
    to: index,
    isAbsolute: fc.boolean(),
    isShared: fc.boolean()
  })
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never
const steps = fc.array(step, { minLength: 1, maxLength: 5 })

/** A page has a line for the links of each side, so that their edits merge, and one in which the words of both sides merge. */
const sides = ["base", "space", "change"] as const
type Side = (typeof sides)[number]
const ownLines = sides.map((side) => `${side}:\n\nText\n\nbetween ${side}.\n`).join("\n")
const emptyText = `${ownLines}\nThe words of base with words of space and more words of change in it.\n`
const withLink = (markdown: string, side: Side, link: string, isShared: boolean) =>
  isShared
    ? markdown.replace(`words of ${side} `, (words) => `${words}${link} `)
    : markdown.replace(new RegExp(`^${side}:.*$`, "m"), (line) => `${line} ${link}`)

/** Returns the possible paths of the target of a link, in the order of precedence. */
const targetPaths = (from: string, url: string): ReadonlyArray<string> =>
  url.startsWith("/")
    ? [url.slice(1)]
    : [from.split("/").slice(0, -1), from.split("/")].map((folder) =>
        new URL(url, `https://x/${folder.map((segment) => `${segment}/`).join("")}`).pathname.slice(1)
      )

const openPages = async () => {
  const { ada, organization } = await openWorkspace()
  const space = (await ada.spaces.create({ organization })).id
  const { changes } = await ada.content.edit({
    content: { space },
    input: {
      changes: Array.from({ length: pageCount }, (_, page) => ({
        operation: "insert_page" as const,
        title: `p${page}`,
        document: { markdown: emptyText }
      }))
    }
  })
  const pages = changes.flatMap((change) => (change.object === "created_page" ? [change.page.id] : []))

  const readPages = (content: EditableContent) =>
    Promise.all(
      pages.map(async (page) => {
        const found = await ada.content.getPage({ content, page, input: { format: "markdown" } })
        if (found.type !== "document") throw new Error("not a document")
        return { path: found.path, markdown: found.markdown! }
      })
    )

  /** Applies steps in order. Steps that the tree of pages does not permit are ignored. */
  const applyAll = async (content: EditableContent, side: Side, steps: ReadonlyArray<Step>) => {
    for (const step of steps) {
      const page = pages[step.page]!
      const edit = (change: object) =>
        ada.content.edit({
          content,
          input: { changes: [{ operation: "update_page", page, ...change }] }
        })
      if (step.do === "move") await edit({ into: pages[step.into]! }).catch(() => undefined)
      else if (step.do === "slug") await edit({ slug: step.slug })
      else {
        const found = await readPages(content)
        const { path, markdown } = found[step.page]!
        const up = "../".repeat(path.split("/").length - 1)
        const url = (step.isAbsolute ? "/" : up) + found[step.to]!.path
        await edit({
          document: { markdown: withLink(markdown, side, `[p${step.to}](${url})`, step.isShared) }
        })
      }
    }
  }

  /** Returns the links that do not refer to the page that their text names. */
  const brokenLinks = async (content: EditableContent) => {
    const found = await readPages(content)
    const indexByPath = new Map(found.map(({ path }, page) => [path, page]))
    return found.flatMap(({ path, markdown }) =>
      [...markdown.matchAll(/\[p(\d)\]\(([^)]*)\)/g)].flatMap(([link, name, url]) => {
        const byId = pages.indexOf(/^\/pages\/(.+)$/.exec(url!)?.[1] as PageId)
        const target =
          byId >= 0
            ? byId
            : targetPaths(path, url!)
                .map((one) => indexByPath.get(one))
                .find((one) => one !== undefined)
        return target === Number(name) ? [] : [`${path}: ${link}`]
      })
    )
  }
  return { ada, space, applyAll, brokenLinks }
}

it("refer to the pages of the side that wrote them, if equal URLs refer to different pages on both sides", async () => {
  for (const isUpdate of [false, true]) {
    const { ada, space, applyAll, brokenLinks } = await openPages()
    const changeRequest = (await ada.changeRequests.create({ space })).id
    await applyAll({ space }, "space", [
      { do: "slug", page: 0, slug: "b" },
      { do: "link", page: 4, to: 0, isAbsolute: false, isShared: false }
    ])
    await applyAll({ space, changeRequest }, "change", [
      { do: "slug", page: 3, slug: "b" },
      { do: "link", page: 4, to: 3, isAbsolute: false, isShared: false }
    ])
    const { result } = isUpdate
      ? await ada.changeRequests.updateFromSpace({ space, changeRequest })
      : await ada.changeRequests.merge({ space, changeRequest })
    expect(result).toBe(isUpdate ? "update" : "merge")
    expect(await brokenLinks(isUpdate ? { space, changeRequest } : { space })).toEqual([])
  }
})

it("refer to the same pages after a merge and after an update from the space", async () => {
  let merges = 0
  await fc.assert(
    fc.asyncProperty(steps, steps, steps, fc.boolean(), async (first, ours, theirs, isUpdate) => {
      const { ada, space, applyAll, brokenLinks } = await openPages()
      await applyAll({ space }, "base", first)
      const changeRequest = (await ada.changeRequests.create({ space })).id
      await applyAll({ space }, "space", ours)
      await applyAll({ space, changeRequest }, "change", theirs)
      expect(await brokenLinks({ space })).toEqual([])
      expect(await brokenLinks({ space, changeRequest })).toEqual([])
      const { result } = isUpdate
        ? await ada.changeRequests.updateFromSpace({ space, changeRequest })
        : await ada.changeRequests.merge({ space, changeRequest })
      if (result === "conflicts") return
      merges++
      expect(await brokenLinks(isUpdate ? { space, changeRequest } : { space })).toEqual([])
    }),
    runs(60)
  )
  expect(merges).toBeGreaterThanOrEqual(runs(15).numRuns)
}, 120_000)
