/**
 * Checks the language of the repository: phrasings that CONTRIBUTING.md rules out, exported names without a doc comment,
 * and decisions cited without their record. Fails for every finding.
 *
 * - `--report [path]` lists the findings below a path, with the phrasings to use instead.
 * - `--rule <id>` limits a report to a rule.
 * - `--public` limits a report to text that users read and to undocumented names.
 */
import { parseArgs } from "node:util"
import { examineRepository } from "./language/examine.ts"
import { type Finding, measures } from "./language/Finding.ts"
import { phraseRules } from "./language/vocabulary.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: "boolean", default: false },
    public: { type: "boolean", default: false },
    rule: { type: "string" }
  }
})

const describe = ({ line, rule, measure, found, instead }: Finding): string =>
  `  ${String(line).padStart(4)}  ${measure === "internal" ? " " : "!"} ${rule}: ${found}\n          → ${instead}`

/** Prints the reasons of the rules that have one. */
const explain = (findings: ReadonlyArray<Finding>): void => {
  const broken = new Set(findings.map(({ rule }) => rule))
  for (const { id, why } of phraseRules) if (why !== undefined && broken.has(id)) console.log(`${id}: ${why}`)
}

/** Prints findings, grouped by file, each with its replacement. */
const report = (findings: ReadonlyArray<Finding>): void => {
  for (const [file, ofFile] of Map.groupBy(findings, ({ file }) => file)) {
    console.log(`\n${file} (${ofFile.length})`)
    for (const finding of ofFile) console.log(describe(finding))
  }
}

const { findings, problems } = examineRepository()
const totals = measures
  .map((measure) => `${findings.filter((finding) => finding.measure === measure).length} ${measure}`)
  .join(", ")

if (values.report) {
  const paths = positionals.map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""))
  const chosen = findings.filter(
    ({ file, measure, rule }) =>
      (paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`))) &&
      (!values.public || measure !== "internal") &&
      (values.rule === undefined || values.rule === rule)
  )
  report(chosen)
  console.log("")
  explain(chosen)
  console.log(
    `${chosen.length} findings listed; "!" marks text that users read. In the repository: ${totals}.`
  )
} else {
  report(findings)
  for (const problem of problems) console.error(problem)
  if (findings.length > 0 || problems.length > 0) process.exitCode = 1
  console.log(`Language: ${totals}.`)
}
