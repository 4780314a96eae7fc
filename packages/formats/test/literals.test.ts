/** Modules of JavaScript are read, and never executed: only their literals have values. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exportedLiteral, literalAt } from "../src/sources/support/literals.ts"

/** Expressions that are not literals, although many of them contain some. */
const expressions = [
  'f("a")',
  "f({ a: [1, 2] }, 'b')",
  'require("./a.json")',
  'require("./a.json").items',
  '"a".concat("b")',
  '["a"].map((name) => name + "b")',
  '{ a: "b" }.a',
  '"a" + name',
  "1 + 2",
  `\`a\${name}\``,
  "tag`a`",
  "name",
  "nullable",
  'isOpen ? "a" : "b"',
  '!"a"',
  "(() => 'a')()",
  "function () { return ['a'] }",
  "new Map([['a', 1]])",
  'await import("./a.js")'
]

const literals = fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null)

describe("a module", () => {
  it.each(expressions)("has no value for %s, and has the values around it", (expression) => {
    expect(literalAt(expression, 0)).toEqual({ value: undefined, computed: 1 })
    expect(literalAt(`["before", ${expression}, "after"]`, 0)).toEqual({
      value: ["before", "after"],
      computed: 1
    })
    expect(literalAt(`{ before: 1, own: ${expression}, after: 2 }`, 0)).toEqual({
      value: { before: 1, own: undefined, after: 2 },
      computed: 1
    })
  })

  it("has the values of its literals, also among expressions", () => {
    fc.assert(
      fc.property(
        fc.array(literals),
        fc.array(literals),
        fc.constantFrom(...expressions),
        (before, after, expression) => {
          const items = [...before.map((one) => JSON.stringify(one)), expression]
          const text = `[${[...items, ...after.map((one) => JSON.stringify(one))].join(", ")}]`
          const read = exportedLiteral(`export default ${text}`)
          expect(JSON.stringify(read?.value)).toBe(JSON.stringify([...before, ...after]))
          expect(read?.computed).toBe(1)
        }
      )
    )
  })
})
