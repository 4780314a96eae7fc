/** The ids of headings, and the links that refer to them. */
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "./support/renderMarkdown.ts"

const idsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!.replaceAll("&amp;", "&"))

const targetsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<a href="#([^"]*)"/g)].map(([, anchor]) => decodeURIComponent(anchor!))

describe("a heading", () => {
  it.each([
    ["evs.auto\\_evict", "evs.auto_evict"],
    ["2. Recommended load-balancer", "id-2.-recommended-load-balancer"],
    ["Step 1. Define query parameters", "step-1.-define-query-parameters"],
    ["1. Azure AD", "id-1.-azure-a-d"],
    ["16.7.2. Cygwin", "16-7-2-cygwin"],
    ["Math & TeX", "math-and-tex"],
    ["Row | Schema", "row-or-schema"],
    ["Scores > X", "scores-greater-than-x"]
  ])("has the id that GitBook derives: %s", async (heading, anchor) => {
    const { content } = await renderMarkdown(`# First\n\n## ${heading}\n\nText.`)
    expect(idsIn(content.text)).toContain(anchor)
  })

  it("has only the id that is written in the source", async () => {
    const { content } = await renderMarkdown('## 1. Azure AD <a href="#own" id="own"></a>\n')
    expect(idsIn(content.text)).toEqual(["own"])
  })

  it("or an expandable block is the target of links in the forms of GitBook", async () => {
    const block = "<details>\n<summary><code>start_query</code> | 1</summary>\n\nText\n\n</details>\n"
    const { content } = await renderMarkdown(
      `${block}\n## A > B\n\n[q](#start_query-or-1) [q](#start-query-1) [a](#a-greater-than-b)\n`
    )
    const ids = idsIn(content.text)
    const targets = targetsIn(content.text).filter((target) => target !== "a--b")
    expect(targets).toEqual(["start-query-1", "start-query-1"])
    expect(ids).toEqual(expect.arrayContaining(["start-query-1", "start_query-or-1", "a-greater-than-b"]))
  })

  it.each([
    ["a heading", '### Users <a id="user"></a>\n'],
    ["a heading, with a name", '### Users <a name="user"></a>\n'],
    ["a paragraph before a heading", '<a id="user"></a>\n\n### Users\n'],
    ["a cell", '| a |\n|---|\n| <a id="user"></a>b |\n'],
    ["a block of HTML", '<div id="user">\n<b>Users</b>\n</div>\n'],
    ["a heading of HTML", '<h3 id="user" class="x">Users</h3>\n']
  ])("keeps the id of HTML in %s, and links refer to it", async (_, markdown) => {
    const { content } = await renderMarkdown(`${markdown}\n[u](#user) [u](#User)\n`)
    expect(idsIn(content.text).filter((id) => id === "user")).toEqual(["user"])
    expect(targetsIn(content.text).filter((target) => target !== "users")).toEqual(["user", "user"])
  })

  it("has its own id if an element of HTML has it too", async () => {
    const { content } = await renderMarkdown(
      '<a id="users"></a>\n\n## Users\n\n## Others <a id="users"></a>\n'
    )
    expect(content.text).toContain('<h2 id="users"')
    expect(idsIn(content.text)).toEqual(["users", "others"])
  })

  it("does not take the id of a later heading, and all ids are unique", async () => {
    const { content } = await renderMarkdown(
      "## A.B\n\n## A & B\n\n## a-b\n\n## A.B\n\n## ab\n\n## A and B\n"
    )
    const ids = idsIn(content.text)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ["ab", "a--b", "a-b", "a-and-b"]) expect(ids).toContain(id)
    expect(content.text).toMatch(/<h2 id="a-and-b"/)
    expect(content.text).toMatch(/<h2 id="a-b"/)
  })

  it("is the target of every link to its text, for every form of its anchor", async () => {
    const title = fc.stringMatching(/^[1-9]?[A-Z][a-zA-Z .&/_-]{1,20}[a-z]$/)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(title, { minLength: 1, maxLength: 4 }), async (titles) => {
        const headings = titles.map((one) => `## ${one.replaceAll("_", "\\_")}`).join("\n\n")
        const plain = await renderMarkdown(headings)
        const forms = idsIn(plain.content.text)
        expect(new Set(forms).size).toBe(forms.length)
        const links = forms.map((form) => `[link](<#${form}>)`).join("\n\n")
        const { content } = await renderMarkdown(`${headings}\n\n${links}`)
        const ids = idsIn(content.text)
        const targets = targetsIn(content.text)
        expect(targets.length).toBeGreaterThanOrEqual(forms.length)
        for (const target of targets) expect(ids).toContain(target)
      }),
      runs(40)
    )
  })

  it.each(["evs.auto_evict", "evsauto_evict", "evs-auto-evict", "EVS.auto_evict"])(
    "is the target of a link on the page: #%s",
    async (anchor) => {
      const { content } = await renderMarkdown(`## evs.auto\\_evict\n\n[Link](#${anchor})`)
      expect(targetsIn(content.text)).toEqual(["evsauto_evict"])
    }
  )

  it.each(["logs_and_traces", "logs-and-traces", "logs.and.traces", "logs-traces", "LOGS_AND_TRACES"])(
    "is the target of a link with any separators: #%s",
    async (anchor) => {
      const { content } = await renderMarkdown(`## Logs and Traces\n\n[Link](#${anchor})`)
      expect(targetsIn(content.text)).toEqual(["logs-and-traces"])
    }
  )
})
