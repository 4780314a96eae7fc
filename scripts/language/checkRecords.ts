/** Checks that every architecture decision record is in the index, and that citations name existing files. */
import { existsSync, readdirSync } from "node:fs"
import { basename } from "node:path"

const folder = "docs/decisions"
const index = `${folder}/README.md`

/** A path of a record, from the root of the repository or relative to a Markdown file. */
const citation = /(?:docs\/decisions\/|\.\/|\]\()(\d{4}-[\w-]+\.md)/g

const requiredSections = ["Context", "Decision", "Alternatives", "Consequences"]

const problemsOfRecord = (record: string, text: string): ReadonlyArray<string> => {
  const missing = requiredSections.filter((section) => !text.includes(`\n## ${section}`))
  return [
    ...missing.map((section) => `${folder}/${record}: the section "${section}" is missing`),
    ...(/^Status: .+\nDate: \d{4}-\d{2}-\d{2}$/m.test(text)
      ? []
      : [`${folder}/${record}: the lines "Status: …" and "Date: YYYY-MM-DD" are missing`])
  ]
}

const documents = /^(docs\/.*|CONTRIBUTING)\.md$/

/** A path in the repository as a code span. Paths with placeholders are not matched. */
const path = /`((?:packages|harness|scripts|examples|benchmarks|docs)\/[\w./-]+)`/g

/** The paths in the documentation that do not exist. */
export const checkPaths = (
  texts: ReadonlyMap<string, string>,
  exists: (path: string) => boolean = existsSync
): ReadonlyArray<string> =>
  [...texts].flatMap(([file, text]) =>
    documents.test(file)
      ? Array.from(text.matchAll(path), ([, cited = ""]) => cited)
          .filter((cited) => !exists(cited))
          .map((cited) => `${file}: names ${cited}, which does not exist`)
      : []
  )

/** The problems of records and of citations in files. `texts` has the contents of files by path. */
export const checkRecords = (
  texts: ReadonlyMap<string, string>,
  records: ReadonlyArray<string> = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name))
): ReadonlyArray<string> => {
  const existing = new Set(records)
  const indexText = texts.get(index) ?? ""
  const problems = records.flatMap((record) => [
    ...(indexText.includes(`(${record})`) ? [] : [`${index}: no row for ${record}`]),
    ...problemsOfRecord(record, texts.get(`${folder}/${record}`) ?? "")
  ])
  for (const [file, text] of texts) {
    for (const [, cited = ""] of text.matchAll(citation)) {
      if (!existing.has(basename(cited))) problems.push(`${file}: cites ${cited}, which does not exist`)
    }
  }
  return problems
}
