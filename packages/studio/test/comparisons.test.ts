/** The comparison of revisions, merges with conflicts, anchors of comments, and merge rules: pure functions. */
import type { Comment, MergeRule, Page } from "@lectern/client/fetch"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareContent, type RevisionContent } from "../src/diff/compareContent.ts"
import { joinChunks, mergeLines, mergeWithConflict } from "../src/diff/mergeLines.ts"
import type { BlockNode } from "../src/document/nodes.ts"
import { checkMergeRules, decideChecks } from "../src/screens/changes/mergeRules.ts"
import { anchorOfWords, findTop } from "../src/screens/comments/anchors.ts"
import { markdownOfMentions, textOfMentions, typedName } from "../src/screens/comments/mentions.ts"
import { fieldsOfRules, rulesOfFields } from "../src/screens/resources/mergeRuleForm.ts"
import { repairDocument } from "../src/screens/resources/repairDocument.ts"
import { replacedName } from "../src/screens/resources/replacedName.ts"

const page = (id: string, fields: object = {}, pages: ReadonlyArray<Page> = []): Page =>
  ({
    id,
    type: "document",
    kind: "sheet",
    title: id,
    slug: id,
    path: id,
    layout: {},
    documentId: id,
    ...fields,
    pages
  }) as unknown as Page

const content = (pages: ReadonlyArray<Page>): RevisionContent => ({ pages, files: [], reusableContents: [] })

const typesOf = (before: ReadonlyArray<Page>, after: ReadonlyArray<Page>): ReadonlyArray<string> =>
  compareContent(content(before), content(after)).map(
    (change) => `${change.type} ${"page" in change ? change.page.id : ""}`
  )

describe("the comparison of revisions", () => {
  it("finds created, edited, moved and deleted pages", () => {
    const before = [page("a"), page("b"), page("c"), page("d")]
    const after = [page("a", { documentId: "other" }, [page("c")]), page("b", { hidden: true }), page("e")]
    expect(typesOf(before, after)).toEqual([
      "page_edited a",
      "page_moved c",
      "page_edited b",
      "page_created e",
      "page_deleted d"
    ])
  })

  it("reports as moved only the page that was dragged", () => {
    expect(typesOf([page("a"), page("b"), page("c")], [page("c"), page("a"), page("b")])).toEqual([
      "page_moved c"
    ])
  })

  it("treats omitted defaults as equal", () => {
    expect(typesOf([page("a")], [page("a", { hidden: false, description: undefined })])).toEqual([])
  })

  it("finds nothing between equal lists, and exactly the difference of sets of pages", () => {
    const ids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 8 })
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        const [before, after] = [one, other].map((list) => list.map((id) => page(id)))
        expect(typesOf(before!, before!)).toEqual([])
        const types = typesOf(before!, after!)
        const idsOf = (type: string) =>
          types.filter((entry) => entry.startsWith(type)).map((entry) => entry.slice(type.length + 1))
        expect(idsOf("page_created")).toEqual(other.filter((id) => !one.includes(id)))
        expect(idsOf("page_deleted")).toEqual(one.filter((id) => !other.includes(id)))
        const common = other.filter((id) => one.includes(id))
        const still = common.filter((id) => !idsOf("page_moved").includes(id))
        expect(still).toEqual(one.filter((id) => still.includes(id)))
      })
    )
  })
})

const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 })

describe("merges of lines", () => {
  it("have a conflict where a server found one, and give each side when it is chosen for all", () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, theirs, ours) => {
        const chunks = mergeWithConflict(base, theirs, ours)
        expect(chunks.some(({ kind }) => kind === "conflict")).toBe(true)
        if (mergeLines(base, theirs, ours).some(({ kind }) => kind === "conflict")) return
        expect(joinChunks(chunks, ["ours"])).toBe(ours.join("\n"))
        expect(joinChunks(chunks, ["theirs"])).toBe(theirs.join("\n"))
      })
    )
  })

  it("return the changed side if the other one is equal to the base", () => {
    fc.assert(
      fc.property(lines, lines, (base, changed) => {
        expect(joinChunks(mergeLines(base, changed, base), [])).toBe(changed.join("\n"))
        expect(joinChunks(mergeLines(base, base, changed), [])).toBe(changed.join("\n"))
      })
    )
  })
})

const paragraph = (key: string, text: string): BlockNode => ({
  object: "block",
  type: "paragraph",
  key,
  nodes: [{ object: "text", key: `${key}.0`, leaves: [{ object: "leaf", text, marks: [] }] }]
})

const on = (node: object | undefined, quote?: object): Pick<Comment, "target"> =>
  ({
    target: { ...(node === undefined ? {} : { node }), ...(quote === undefined ? {} : { quote }) }
  }) as Comment

describe("places of comments", () => {
  const nodes = [paragraph("0", "First words."), paragraph("1", "Second words.")]

  it("follow a block whose key is another one now", () => {
    expect(findTop(on({ id: "0", preview: "Second words." }), nodes)).toBe("1")
  })

  it("remain on a block that was edited, and are lost on one that was rewritten", () => {
    expect(findTop(on({ id: "0", preview: "First few words." }), nodes)).toBe("0")
    expect(findTop(on({ id: "0", preview: "Nothing like it remains" }), nodes)).toBeUndefined()
  })

  it("are found by their quote", () => {
    expect(findTop(on({ id: "7", preview: "Gone" }, { text: "Second" }), nodes)).toBe("1")
    expect(findTop(on(undefined, { text: "Third" }), nodes)).toBeUndefined()
  })

  it("name the innermost block of selected words, with the text around them", () => {
    const list: BlockNode = {
      object: "block",
      type: "list-unordered",
      key: "2",
      nodes: [paragraph("2.0", "An item here.")]
    }
    expect(anchorOfWords("p", "2", "item", [...nodes, list])).toEqual({
      page: "p",
      block: "2.0",
      quote: { text: "item", before: "An ", after: " here." }
    })
  })
})

describe("mentions", () => {
  const users = [
    { id: "1", displayName: "Ann", email: "ann@example.com" },
    { id: "2", displayName: "Ann Lee", email: "lee@example.com" }
  ]

  it("are addresses in Markdown, and names in fields", () => {
    const text = "Hi @Ann Lee and @Ann, not @Anna."
    const markdown = markdownOfMentions(text, users)
    expect(markdown).toBe("Hi @lee@example.com and @ann@example.com, not @Anna.")
    expect(textOfMentions(markdown, users)).toBe(text)
  })

  it("begin after a space, not within an address", () => {
    expect(typedName("Hi @An", 6)).toBe("An")
    expect(typedName("mail a@b", 8)).toBeUndefined()
  })
})

describe("merge rules", () => {
  const request = { subject: "", outdated: false, createdBy: { id: "author" } } as never
  const check = (rule: MergeRule, reviews: ReadonlyArray<object> = []) =>
    checkMergeRules([rule], { request, reviews: reviews as never, requested: [] })[0]

  it("do not count reviews of the author, or superseded ones", () => {
    const rule = { rule: "require_at_least_one_review" } as const
    const review = { reviewer: { id: "a" }, status: "approved", outdated: false }
    expect(check(rule, [review])?.state).toBe("passed")
    expect(check(rule, [{ ...review, outdated: true }])?.state).toBe("missing")
    expect(check(rule, [{ ...review, reviewer: { id: "author" } }])?.state).toBe("missing")
  })

  it("name the people whose approval is missing, and leave expressions to the server", () => {
    expect(check({ rule: "require_specific_reviewers", users: ["a", "b"] })?.missing).toEqual(["a", "b"])
    expect(check({ rule: "custom", expression: "true" })?.state).toBe("unknown")
    expect(check({ rule: "allow_bypass", users: ["a"] })).toBeUndefined()
  })

  it("with an expression are decided by the preview of the merge", () => {
    const checks = checkMergeRules(
      [
        { rule: "custom", expression: "a" },
        { rule: "custom", expression: "b" },
        { rule: "require_change_request_subject" }
      ],
      { request, reviews: [], requested: [] }
    )
    const statesWith = (failing: Parameters<typeof decideChecks>[1]) =>
      decideChecks(checks, failing).map(({ state }) => state)
    expect(statesWith(undefined)).toEqual(["unknown", "unknown", "missing"])
    expect(statesWith([{ rule: "custom", message: "Fails.", expression: "b" }])).toEqual([
      "passed",
      "missing",
      "missing"
    ])
    expect(statesWith([])).toEqual(["passed", "passed", "missing"])
  })

  it("survive the form, including rules that it does not display", () => {
    const rules: ReadonlyArray<MergeRule> = [
      { rule: "require_at_least_one_review" },
      { rule: "allow_bypass", users: ["a"] },
      { rule: "custom", expression: "true" },
      { rule: "custom", expression: "false" },
      { rule: "require_agent_review" }
    ]
    const result = rulesOfFields(fieldsOfRules({ type: "rules", rules }))
    expect(result).toEqual({ type: "rules", rules })
    expect(rulesOfFields(fieldsOfRules({ type: "inherit" }))).toEqual({ type: "inherit" })
  })
})

describe("the name of a replaced file", () => {
  it.each([
    ["plan.png", "new.PNG", "plan.png"],
    ["plan.png", "new.jpg", "plan.jpg"],
    ["plan", "new.jpg", "plan.jpg"],
    ["plan.png", "new", "plan.png"],
    ["v1.2 plan.png", "a b.svg", "v1.2 plan.svg"]
  ])("has the extension of the new one: %s and %s", (name, replacement, expected) => {
    expect(replacedName(name, replacement)).toBe(expected)
  })
})

describe("repairs of links", () => {
  const link = (url: string) => ({
    object: "inline",
    type: "link",
    data: { ref: { kind: "url", url } },
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: "here", marks: [] }] }]
  })
  const document = {
    object: "document",
    data: {},
    nodes: [{ ...paragraph("0", ""), nodes: [link("a.md"), link("b.md")] }]
  }
  const repair = (replacement: Parameters<typeof repairDocument>[2]) =>
    JSON.stringify(repairDocument(document as never, "a.md", replacement).nodes)

  it("change only the links to the target", () => {
    const repaired = repair({ kind: "page", page: "p" })
    expect(repaired).toContain('{"kind":"page","page":"p"}')
    expect(repaired).not.toContain("a.md")
    expect(repaired).toContain("b.md")
  })

  it("keep the text of a removed link", () => {
    const repaired = repair(undefined)
    expect(repaired.match(/"here"/g)).toHaveLength(2)
    expect(repaired.match(/"link"/g)).toHaveLength(1)
  })
})
