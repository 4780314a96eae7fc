/** Conditional content, as visitors with different claims see it. */

import { runs } from "@lectern/harness"
import { conditionProblems, markdownForVisitor } from "@lectern/markdown/conditions"
import { outlineOf } from "@lectern/markdown/outline"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { page } from "./support/pages.ts"

const block = (condition: string, content: string) => `{% if ${condition} %}\n${content}\n{% endif %}\n`

describe("the Markdown for a visitor", () => {
  it("has the blocks whose conditions are true, without their tags", () => {
    const markdown = `Before\n\n${block("visitor.claims.plan == 'pro'", "Pro")}\n${block("!visitor.claims.beta", "Stable")}\nAfter\n`
    expect(markdownForVisitor(markdown, { plan: "pro", beta: true })).toBe("Before\n\nPro\n\n\nAfter\n")
    expect(markdownForVisitor(markdown, { plan: "free", beta: false })).toBe("Before\n\n\nStable\n\nAfter\n")
    // A condition with a missing claim is false.
    expect(markdownForVisitor(markdown, {})).toBe("Before\n\n\n\nAfter\n")
  })

  it("has the line breaks of visible text", () => {
    const yes = "{% if visitor.claims.yes %}"
    expect(markdownForVisitor(`a ${yes} {% endif %}\nb\n`, { yes: true })).toMatch(/^a {2,3}\nb\n$/)
    expect(markdownForVisitor(`${yes}\n${yes}\na\n{% endif %}\n{% endif %}\nb\n`, { yes: true })).toBe(
      "a\nb\n"
    )
  })

  it("is unchanged without conditions, and in code", () => {
    const markdown = "```\n{% if visitor.claims.a %}\n```\n\n`{% if visitor.claims.a %}`\n"
    expect(markdownForVisitor(markdown, {})).toBe(markdown)
  })

  it.each([
    ["is malformed", block("visitor.claims.a ==", "secret")],
    ["is not closed", "{% if visitor.claims.a %}\n\nsecret\n"],
    ["is not closed in a block", "> {% if visitor.claims.a %}\n> secret\n\nsecret too\n"],
    ["is in a line of text", "Text {% if visitor.claims.b %} secret {% endif %}\n"],
    ["is in HTML", "<div>\n{% if visitor.claims.b == '}' %}secret{% endif %}\n</div>\n"],
    ["is in a false one", block("visitor.claims.b", `${block("visitor.claims.a", "secret")}\nsecret`)],
    ["is in Markdown that is too deep", `${"> ".repeat(300)}a\n\n${block("visitor.claims.b", "secret")}`]
  ])("does not have a block whose condition %s", (_, markdown) => {
    expect(markdownForVisitor(`Start\n\n${markdown}`, { a: true })).toMatch(/^Start\n/)
    expect(markdownForVisitor(`Start\n\n${markdown}`, { a: true })).not.toContain("secret")
  })

  it("never has the content of false conditions, and all other content, on generated pages", () => {
    const condition = fc.constantFrom("visitor.claims.yes", "visitor.claims.no", "visitor.claims.x(")
    const parts = fc.array(fc.tuple(condition, page), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(parts, (all) => {
        const markdown = all
          .map(([condition, content], at) => {
            const own = content.replace(/\{%-? *(?:if|endif)\b.*%\}/g, "")
            return `around${at}\n\n${block(condition, `inside${at}\n\n${own}\n\ninside${at}`)}`
          })
          .join("\n\n")
        const seen = markdownForVisitor(markdown, { yes: true, no: false })
        const words = outlineOf(seen)
          .sections.map(({ title, text }) => `${title}\n${text}`)
          .join("\n")
        for (const [at, [condition]] of all.entries()) {
          expect(words.includes(`around${at}`)).toBe(true)
          expect(seen.includes(`inside${at}`)).toBe(condition === "visitor.claims.yes")
        }
        expect(seen.match(/\{% (?:if|endif) /g)).toBeNull()
      }),
      runs(100)
    )
  })
})

describe("the problems of conditions", () => {
  it("are the conditions that hide a block from every visitor, with their lines", () => {
    const markdown = `${block("visitor.claims.a", "A")}\n${block("process.exit()", "B")}\n{% if visitor.claims.c %}\n`
    expect(conditionProblems(markdown)).toEqual([
      { line: 5, condition: "process.exit()", message: expect.stringContaining("visitor.claims") },
      { line: 9, condition: "visitor.claims.c", message: "has no closing tag `{% endif %}`" }
    ])
  })
})
