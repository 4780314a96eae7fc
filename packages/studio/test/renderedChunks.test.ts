/** The blocks in which conflicts of text are displayed. */
import { expect, it } from "vitest"
import { joinChunks, mergeWithConflict } from "../src/diff/mergeLines.ts"
import { textOf } from "../src/document/nodes.ts"
import { markParagraphs, renderChunks } from "../src/screens/changes/renderedChunks.ts"

const render = (base: string, theirs: string, ours: string) => {
  const chunks = mergeWithConflict(base.split("\n"), theirs.split("\n"), ours.split("\n"))
  const rendered = renderChunks(chunks)
  return chunks.flatMap(({ kind }, index) => (kind === "conflict" ? [rendered[index]!] : []))
}

const typesOf = (nodes: ReadonlyArray<{ readonly type?: string }>) => nodes.map(({ type }) => type)

it("displays a conflict in a row of a table as the whole table, and nothing around it", () => {
  const table = (cell: string) => `# Ports\n\n| Name | Port |\n| --- | --- |\n| web | ${cell} |\n\nEnd.\n`
  const [conflict, ...others] = render(table("80"), table("81"), table("82"))
  expect(others).toEqual([])
  expect([conflict!.base, conflict!.theirs, conflict!.ours].map(typesOf)).toEqual([
    ["table"],
    ["table"],
    ["table"]
  ])
})

it("displays each conflict with its own blocks, and a side that removed them without any", () => {
  const text = (first: string, second: string) => `${first}\n\nBetween.\n\n${second}\n`
  const conflicts = render(text("One.", "Two."), text("One!", "Two!"), text("One?", ""))
  expect(
    conflicts.map(({ base, theirs, ours }) => [base, theirs, ours].map((side) => side.map(textOf)))
  ).toEqual([
    [["One."], ["One!"], ["One?"]],
    [["Two."], ["Two!"], []]
  ])
})

it("displays a conflict inside of a block of tags as the block", () => {
  const hint = (line: string) => `{% hint style="info" %}\nFirst.\n\n${line}\n{% endhint %}\n`
  const [conflict] = render(hint("Base."), hint("Theirs."), hint("Ours."))
  expect(typesOf(conflict!.ours)).toEqual(["hint"])
})

it("keeps paragraphs apart if both sides are chosen, and joins lines of other blocks and of one paragraph", () => {
  const both = (base: string, theirs: string, ours: string) => {
    const chunks = mergeWithConflict(base.split("\n"), theirs.split("\n"), ours.split("\n"))
    return joinChunks(markParagraphs(chunks, renderChunks(chunks)), ["both"])
  }
  expect(both("One.\n\nEnd.\n", "Theirs.\n\nEnd.\n", "Ours.\n\nEnd.\n")).toBe("Theirs.\n\nOurs.\n\nEnd.\n")
  expect(both("- One\n- End\n", "- Theirs\n- End\n", "- Ours\n- End\n")).toBe("- Theirs\n- Ours\n- End\n")
  const code = (line: string) => `\`\`\`\n${line}\n\`\`\`\n`
  expect(both(code("one"), code("theirs"), code("ours"))).toBe(code("theirs\nours"))
  expect(both("Begins\none\nends.\n", "Begins\ntheirs\nends.\n", "Begins\nours\nends.\n")).toBe(
    "Begins\ntheirs\nours\nends.\n"
  )
})
