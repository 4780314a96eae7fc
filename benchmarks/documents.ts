/**
 * Measures the conversion of Markdown to a document and back, compared with a bare parse by `mdast-util-from-markdown` of
 * the same text in the same run. Only the ratios are comparable between machines. Run with `npm run bench:documents`.
 */
import { fromMarkdown, toMarkdown } from "@lectern/core/content"
import { fromMarkdown as parseBare } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { median } from "./processes.ts"

/** Returns a section of a usual page: text with marks and links, lists, a table, code and a quote. */
const sectionOf = (index: number): string =>
  [
    `## Section ${index}`,
    `The **section** ${index} explains \`option-${index}\`, see [the guide](/pages/p${index}) and its _examples_.`,
    "Some sentences follow without any marks, because most text has no marks. ".repeat(4),
    "* One\n* Two with `code`\n  * Three\n* [Four](https://example.com/four)",
    "| Name | Value |\n| ---- | ----- |\n| a | **b** |\n| c | [d](e.md) |",
    '{% hint style="info" %}\nA hint with a sentence.\n{% endhint %}',
    "```js\nconst answer = compute()\nconsole.log(answer)\n```",
    "> A quote.",
    "<details>\n\n<summary>More</summary>\n\nHidden text.\n\n</details>"
  ].join("\n\n")

const pageOf = (sections: number): string =>
  Array.from({ length: sections }, (_, index) => sectionOf(index)).join("\n\n")

/** Returns the median CPU time of a conversion in milliseconds. */
const measureMs = (rounds: number, convert: () => unknown): number => {
  for (let round = 0; round < 5; round++) convert()
  return median(
    Array.from({ length: rounds }, () => {
      const started = process.cpuUsage()
      convert()
      const { user, system } = process.cpuUsage(started)
      return (user + system) / 1000
    })
  )
}

for (const [name, sections, rounds] of [
  ["A page of 5 kB", 7, 60],
  ["A page of 190 kB", 250, 15]
] as const) {
  const markdown = pageOf(sections)
  const document = fromMarkdown(markdown)
  const bareMs = measureMs(rounds, () => parseBare(markdown))
  const gfmMs = measureMs(rounds, () =>
    parseBare(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  )
  const ratioOf = (convert: () => unknown) => (measureMs(rounds, convert) / bareMs).toFixed(2)
  console.log(
    `${name} (${markdown.length} characters; bare parse ${bareMs.toFixed(1)} ms): ` +
      `GFM parse ${(gfmMs / bareMs).toFixed(2)}, ` +
      `to a document ${ratioOf(() => fromMarkdown(markdown))} (at most 4), ` +
      `to Markdown ${ratioOf(() => toMarkdown(document))}`
  )
}
