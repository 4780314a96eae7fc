/**
 * Checks the language of the repository: phrasings that CONTRIBUTING.md rules out, exported names without a doc comment,
 * and decisions cited without their record.
 *
 * - Without options, fails for every finding in text that users read, every undocumented name and every bare citation.
 *   Compares the findings in internal text with the counts per folder in `scripts/language/counts.txt`, and fails if one
 *   has risen.
 * - `--report [path]` lists the findings below a path, with the phrasings to use instead.
 * - `--rule <id>` limits a report to a rule.
 * - `--public` limits a report to text that users read and to undocumented names.
 * - `--update` lowers the committed counts. It does not raise one.
 * - `--rules-changed` replaces the committed counts, even if they rise. Use it only in a commit that adds or widens a rule.
 */
import { parseArgs } from "node:util"
import { countFindings, readCounts, rejectedRises, risesOf, totalOf, writeCounts } from "./language/counts.ts"
import { examineRepository } from "./language/examine.ts"
import { type Finding, type Measure, measures } from "./language/Finding.ts"
import { phraseRules } from "./language/vocabulary.ts"

/** The measures that allow no finding. The others are held to the committed counts. */
const strictMeasures: ReadonlyArray<Measure> = ["public", "undocumented", "citations"]

const countsFile = "scripts/language/counts.txt"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: "boolean", default: false },
    public: { type: "boolean", default: false },
    rule: { type: "string" },
    update: { type: "boolean", default: false },
    "rules-changed": { type: "boolean", default: false }
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
const strict = findings.filter(({ measure }) => strictMeasures.includes(measure))
const now = countFindings(findings.filter(({ measure }) => !strictMeasures.includes(measure)))
const committed = readCounts(countsFile)
const all = countFindings(findings)
const totals = measures.map((measure) => `${totalOf(all, measure)} ${measure}`).join(", ")

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
} else if (values.update || values["rules-changed"] || committed === undefined) {
  const rejected = committed === undefined || values["rules-changed"] ? [] : rejectedRises(committed, now)
  for (const { folder, measure, before, now } of rejected) {
    console.error(`${folder}: ${measure} would rise from ${before} to ${now}. Counts only fall.`)
  }
  if (rejected.length > 0) process.exitCode = 1
  else writeCounts(countsFile, now)
  console.log(`Language: ${totals}.`)
} else {
  const rises = risesOf(committed, now)
  for (const { folder, measure, before, now } of rises) {
    console.error(
      `${folder}: ${now} ${measure} findings, and at most ${before} are allowed. ` +
        `Run \`npm run check:language -- --report ${folder}\`.`
    )
  }
  report(strict)
  for (const problem of problems) console.error(problem)
  if (rises.length > 0 || strict.length > 0 || problems.length > 0) process.exitCode = 1
  const fallen = measures.filter((measure) => totalOf(now, measure) < totalOf(committed, measure))
  const hint =
    rises.length === 0 && fallen.length > 0
      ? " Run `npm run check:language -- --update` to lower the counts."
      : ""
  console.log(`Language: ${totals}.${hint}`)
}
