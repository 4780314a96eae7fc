/** Reading the prose of files: what counts as public, and what is skipped. */
import { describe, expect, it } from "vitest"
import { Allowances } from "../Allowances.ts"
import { checkPaths, checkRecords } from "../checkRecords.ts"
import { checkWords } from "../checkWords.ts"
import { examineManifest, examineMarkdown, examineSource } from "../examine.ts"
import { PublicNames } from "../publicNames.ts"
import { parseSource } from "../sourcePassages.ts"

const examine = (text: string, names: ReadonlyArray<string> = [], file = "packages/core/src/a.ts") =>
  examineSource(parseSource(file, text), new Set(names), new Allowances([])).map(
    ({ line, rule, measure }) => `${line} ${rule} ${measure}`
  )

describe("a source file", () => {
  it("has public findings in doc comments of exported names and of their members", () => {
    const text = `/** A row that is kept. */
export interface Row {
  /** The moment of the edit. */
  readonly editedAt: Date
}

/** A row that is kept. */
interface Other {
  readonly key: string
}
`
    expect(examine(text, ["Row"])).toEqual(["1 keep public", "3 moment public", "7 keep internal"])
  })

  it("has public findings in doc comments of the API's schemas, whether exported by a package or not", () => {
    const text = "const fields = {\n  /** The bin. */\n  trash: 1\n}\n"
    expect(examine(text, [], "packages/model/src/spaces/Space.ts")).toEqual(["2 bin public"])
    expect(examine(text)).toEqual(["2 bin internal"])
  })

  it("has public findings in messages of packages, and internal ones in those of other code", () => {
    const text = "throw new Error('The row is kept for ever.')\n"
    expect(examine(text)).toEqual(["1 keep public", "1 permanently public"])
    expect(examine(text, [], "harness/src/a.ts")).toEqual(["1 keep internal", "1 permanently internal"])
  })

  it("has internal findings in titles of tests, and none in other strings of tests", () => {
    const text = `it.each(values)("is kept for the next read", () => {
  expect(page).toBe("This text is kept by nobody.")
})
`
    expect(examine(text, [], "packages/core/test/a.test.ts")).toEqual(["1 keep internal"])
  })

  it("reads consecutive line comments as one, and lines of doc comments without their asterisks", () => {
    expect(examine("// It is in the\n// way of others.\nconst a = 1\n")).toEqual(["1 in-the-way internal"])
    expect(examine("/**\n * It is in the\n * way.\n */\nconst a = 1\n")).toEqual(["2 in-the-way internal"])
  })

  it("skips code: code spans, links, placeholders, imports, short strings and linter directives", () => {
    const text = `import { keeps } from "./who/keeps/nobody.ts"
// biome-ignore lint/style/all: nobody
/** Calls \`answer\` and {@link keeps}, see https://example.com/nobody. */
const a = \`Returns \${nobody.keeps({ answer: 1 })} rows.\`
const b = "nobody"
`
    expect(examine(text)).toEqual([])
  })

  it("has a finding for each exported name, member and service method without a sentence", () => {
    const text = `export class Rows extends Context.Service<Rows, {
  readonly get: (id: string) => Row
  /** Lists all rows. */
  readonly list: () => Row
}>()("Rows") {
  #hidden = 1
}

/** lower case, without a stop */
export type Row = { readonly id: string }

/**
 * Returns a row.
 *
 * - \`id\`: which one
 */
export const find = (id: string): Row => ({ id })

export const internal = 1
`
    expect(examine(text, ["Rows", "Row", "find"])).toEqual([
      "1 undocumented undocumented",
      "2 undocumented undocumented",
      "10 not-a-sentence undocumented",
      "10 undocumented undocumented"
    ])
  })

  it("accepts one comment for a value and the type of the same name", () => {
    const text = `/** The id of a row. */
export const RowId = Schema.String
export type RowId = typeof RowId.Type
`
    expect(examine(text, ["RowId"])).toEqual([])
  })

  it("has findings for names that state nothing, and for names in the words of the vocabulary", () => {
    const text = `const make = 1
const textsKept = 1
const said = 1
type Answer = string
const sentMoments = 1
const isPatient = true
export const history = 1
const replies = 1
const makeRecords = 1
const samlAnswers = 1
class Gone {}
const saidaNames = 1
`
    expect(examine(text)).toEqual([
      "1 bare-name internal",
      "2 dialect-name internal",
      "3 bare-name internal",
      "5 dialect-name internal",
      "6 dialect-name internal"
    ])
    expect(examine("/** Makes. */\nexport const make = 1", ["make"])).toEqual(["2 bare-name public"])
  })

  it("has findings for citations by number, in comments and in strings, but not for paths of records", () => {
    expect(examine(`// Roles (decision D5).\nconst check = { promise: "D10" }\n`)).toEqual([
      "1 citation citations",
      "2 citation citations"
    ])
    expect(examine("// Roles: decision D5, docs/decisions/0006-roles.md\n")).toEqual([])
    expect(examine("// The key 5D1A and a 3D10 model\n")).toEqual([])
  })
})

describe("a Markdown file", () => {
  const examineText = (text: string) =>
    examineMarkdown("README.md", text, new Allowances([])).map(({ line, rule }) => `${line} ${rule}`)

  it("has public findings with their lines", () => {
    expect(examineText("# Title\n\nRows are kept\nfor good.\n")).toEqual(["3 keep", "4 permanently"])
  })

  it("skips code blocks, code spans and targets of links", () => {
    expect(examineText("```sh\ncurl nobody\n```\n\nSee [this](nobody.md) and `keeps`.\n")).toEqual([])
  })
})

describe("a package.json", () => {
  it("has public findings in its description only", () => {
    const text =
      '{\n  "name": "nobody",\n  "description": "Rows that are kept",\n  "keywords": ["answer"]\n}\n'
    expect(examineManifest("package.json", text, new Allowances([]))).toMatchObject([
      { line: 3, rule: "keep", measure: "public", found: "Rows that are «kept»" }
    ])
  })
})

describe("public names", () => {
  it("are followed through re-exports, renamed exports and imports", () => {
    const sources: Record<string, string> = {
      "scripts/check-language.ts": `export * from "./check-imports.ts"\nexport { inner as outer } from "./check-client.ts"\n`,
      "scripts/check-imports.ts": "export const one = 1\nconst two = 2\nexport { two }\nconst hidden = 3\n",
      "scripts/check-client.ts": `import { deep } from "./test-long.ts"\nexport { deep as inner }\nexport const other = 1\n`,
      "scripts/test-long.ts": "export const deep = 1\n"
    }
    const names = new PublicNames((file) => parseSource(file, sources[file] ?? "").program)
    names.addEntryPoint("scripts/check-language.ts")
    expect(names.files().map((file) => [file, [...names.of(file)]])).toEqual([
      ["scripts/check-imports.ts", ["one", "two"]],
      ["scripts/test-long.ts", ["deep"]]
    ])
  })
})

describe("the spelling dictionary", () => {
  it("has no word twice, and none that nothing uses", () => {
    expect(checkWords(["testkit", "Tarjan's"], ["the Testkit", "by tarjan's algorithm"])).toEqual([])
    expect(checkWords(["testkit", "TESTKIT", "prolly"], ["the testkit"])).toEqual([
      "project-words.txt: a word is listed twice",
      'project-words.txt: nothing uses "prolly"; remove it'
    ])
  })
})

describe("decision records", () => {
  const record =
    "# 0001 Title\n\nStatus: Accepted\nDate: 2026-11-22\n\n## Context\n\n## Decision\n\n## Alternatives\n\n## Consequences\n"
  const index = ["docs/decisions/README.md", "| [Title](0001-title.md) |"] as const

  it("are complete, in the index, and cited by paths that exist", () => {
    const texts = new Map([
      index,
      ["docs/decisions/0001-title.md", record],
      ["a.ts", "// docs/decisions/0001-title.md"]
    ])
    expect(checkRecords(texts, ["0001-title.md"])).toEqual([])
  })

  it("are reported if the index has no row, a section or the date is missing, or a citation is dead", () => {
    const texts = new Map([
      ["docs/decisions/0001-title.md", record.replace("## Decision", "").replace("Date: ", "")],
      ["a.ts", "// docs/decisions/0002-other.md"]
    ])
    expect(checkRecords(texts, ["0001-title.md"])).toEqual([
      "docs/decisions/README.md: no row for 0001-title.md",
      'docs/decisions/0001-title.md: the section "Decision" is missing',
      'docs/decisions/0001-title.md: the lines "Status: …" and "Date: YYYY-MM-DD" are missing',
      "a.ts: cites 0002-other.md, which does not exist"
    ])
  })
})

describe("paths in the documentation", () => {
  it("are reported if they do not exist", () => {
    const texts = new Map([
      ["docs/glossary.md", "`packages/core/src` and `packages/core/lost.ts`"],
      ["packages/core/README.md", "`packages/core/other.ts`"]
    ])
    expect(checkPaths(texts, (path) => path === "packages/core/src")).toEqual([
      "docs/glossary.md: names packages/core/lost.ts, which does not exist"
    ])
  })
})
