/** The minified style sheet has the rules of its source. */
import { expect, it } from "vitest"
import { loadAssets, minifyCss } from "../src/assets/files.ts"

it("keeps the combinator of a selector that spans lines", () => {
  expect(
    minifyCss(
      "& p,\n& ul {\n  & \n    :is(\n      .a,\n      td\n    )\n    > b {\n    color: red;\n  }\n}\n"
    )
  ).toBe("& p,& ul{& :is(.a,td) > b{color:red}}")
})

it("removes the margin of the last block in a hint, a tab and a step", () => {
  const { body } = loadAssets().style
  expect(body).toMatch(/& :is\(\.hint-body,[^)]*\) > :last-child\{margin-bottom:0\}/)
})

it("has no pseudo-class that is attached to its parent in the style sheet only by minification", () => {
  expect(String(loadAssets().style.body)).not.toMatch(/&:is\(/)
})
