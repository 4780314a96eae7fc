/** The context of questions, the events of a model, and the division of its text. */
import { runs } from "@lectern/harness"
import { outlineOf } from "@lectern/markdown/outline"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { divideAnswer, questionsOf } from "../src/answer/questions.ts"
import { maximumPassageLength, passagesOf } from "../src/context/passagesOf.ts"
import { questionsMarker } from "../src/context/prompts.ts"
import { selectSources } from "../src/context/selectSources.ts"
import { eventData } from "../src/model/eventData.ts"

const lines = fc.array(
  fc.constantFrom(
    "# Install",
    "## Install",
    "### Code of *Linux* `npm`",
    "```sh",
    "# not a heading",
    "```",
    "Run the installer.",
    "",
    "word ".repeat(400),
    "Größe & naïve 日本語"
  ),
  { maxLength: 30 }
)

describe("passages", () => {
  it("have every line of a page, bounded lengths, and the anchors of its headings", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const markdown = all.join("\n")
        const passages = passagesOf(markdown)
        for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(maximumPassageLength)
        for (const line of all.map((one) => one.trim())) {
          if (line === "" || line.startsWith("#")) continue
          const start = line.slice(0, maximumPassageLength).trim()
          expect(passages.some(({ text }) => text.includes(start))).toBe(true)
        }
        const anchors = new Set(outlineOf(markdown).sections.map(({ anchor }) => anchor))
        const isFenceOpen = all.filter((line) => line.startsWith("```")).length % 2 === 1
        if (!isFenceOpen) {
          for (const { anchor } of passages) expect(anchor === "" || anchors.has(anchor)).toBe(true)
        }
      }),
      runs(100)
    )
  })

  it("are selected within the bound, best match first, and numbered in the order of the pages", () => {
    const page = (id: string, markdown: string) => ({
      space: "s",
      revision: "r",
      page: id,
      title: id,
      path: id,
      markdown
    })
    const pages = [
      page("other", "Something else.\n\n## Colors\n\nRed and green."),
      page("install", "Run the installer.")
    ]
    expect(selectSources("Which installer?", pages, 20).map(({ page: id, number }) => [id, number])).toEqual([
      ["install", 1]
    ])
    const all = selectSources("Which installer?", pages)
    expect(all.map(({ page: id, number }) => [id, number])).toEqual([
      ["other", 1],
      ["install", 2]
    ])
    expect(all[0]).not.toHaveProperty("markdown")
  })
})

describe("events of a model", () => {
  it("are independent of the chunks that arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "é日😀", " x: y", '{"b":1}'), { minLength: 1, maxLength: 8 }),
        fc.constantFrom("\n", "\r\n"),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        async (data, end, sizes) => {
          const text = data.map((one) => `: comment${end}event: x${end}data: ${one}${end}${end}`).join("")
          const bytes = new TextEncoder().encode(text)
          const chunks: Array<Uint8Array> = []
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = sizes[turn % sizes.length]!
            chunks.push(bytes.slice(at, at + size))
            at += size
          }
          const read = await Effect.runPromise(Stream.runCollect(eventData(Stream.fromIterable(chunks))))
          expect([...read]).toEqual(data)
        }
      ),
      runs(50)
    )
  })
})

describe("generated text", () => {
  const generated = `An answer [1].\n${questionsMarker}\n1. What is it?\n- What is it?\nHow?`

  it("displays no part of the marker while it arrives", () => {
    for (let length = 0; length <= generated.length; length++) {
      expect(divideAnswer(generated.slice(0, length)).answer).not.toContain("=")
    }
    const { answer, questions } = divideAnswer(generated)
    expect([answer, questionsOf(questions ?? "", 3)]).toEqual(["An answer [1].", ["What is it?", "How?"]])
  })

  it("suggests at most the requested number of short questions without markup", () => {
    const text = ["a?", "<b>?", "https://evil.example?", "x".repeat(201), "b\u202E?", "a?", "c?", "d?"].join(
      "\n"
    )
    expect(questionsOf(text, 3)).toEqual(["a?", "b ?", "c?"])
  })
})
