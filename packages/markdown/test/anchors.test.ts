/** The anchors of headings in the forms of GitBook. */
import { anchorFinder, gitBookAnchorsOf, outlineOf } from "@lectern/markdown/outline"
import { describe, expect, it } from "vitest"
import links from "./support/gitBookAnchors.json" with { type: "json" }

/** Anchors that their authors have written by hand: no version of GitBook derives them from the heading. */
const byHand =
  /^(?:5\.-group-filter|8-14-4-jsonbindexing|sqltr-|crosstabview-|d-s-pattern|class-saleae|table-97[3-6]-pg|\w+(?:tablespace|libraries)string$)/

describe("the anchors of a heading", () => {
  it("include the fragments of public links to it", () => {
    const missing = links.anchors.filter(({ heading, anchor }) => {
      const own = outlineOf(`## ${heading.replaceAll(/([\\[\]*<_+])/g, "\\$1")}`).anchors
      return ![...own, ...gitBookAnchorsOf(heading)].includes(anchor)
    })
    expect(missing.filter(({ anchor }) => !byHand.test(anchor))).toEqual([])
    expect(missing.length).toBeLessThan(links.anchors.length / 20)
  })

  it("include the anchors of expandable blocks", () => {
    const { anchors } = outlineOf(
      "<details>\n<summary><code>start_query</code></summary>\n\n## Text\n\n</details>\n"
    )
    expect(anchorFinder(anchors)("start_query")).toBe("start-query")
    expect(anchors).toContain("text")
  })

  it("are found by the fragments of public links, however they are derived", () => {
    for (const { heading, anchor } of links.anchors) {
      const [own = ""] = outlineOf(`## ${heading.replaceAll(/([\\[\]*<_+])/g, "\\$1")}`).anchors
      if (!byHand.test(anchor)) expect(anchorFinder([own])(anchor), anchor).toBe(own)
    }
  })
})
