/**
 * Checks the language of the repository: phrasings that CONTRIBUTING.md rules out, exported names without a doc comment,
 * and decisions cited without their record.
 *
 * - Without options, compares the findings with the counts per folder in `scripts/language/counts.txt`, and fails if one
 *   has risen.
 * - `--report [path]` lists the findings below a path, with the phrasings to use instead.
 * - `--public` limits a report to text that users read and to undocumented names.
 * - `--update` lowers the committed counts. It refuses to raise one.
 */
import { parseArgs } from "node:util"
import { countFindings, readCounts, refusedRises, risesOf, totalOf, writeCounts } from "./language/counts.ts"
import { examineRepository } from "./language/examine.ts"
import { type Finding, type Measure, measures } from "./language/Finding.ts"

/**
 * THE SWITCH. While the code base is being rewritten, text that users read is held to the committed counts, like all other
 * text. Set this to false to allow no finding in it.
 */
const isPublicTextRatcheted = true

/** The measures that allow no finding once the switch is off. */
const strictMeasures: ReadonlyArray<Measure> = ["public", "undocumented"]

const countsFile = "scripts/language/counts.txt"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: "boolean", default: false },
    public: { type: "boolean", default: false },
    update: { type: "boolean", default: false }
  }
})

const describe = ({ line, rule, measure, found, instead }: Finding): string =>
  `  ${String(line).padStart(4)}  ${measure === "internal" ? " " : "!"} ${rule}: ${found}\n          → ${instead}`

/** Prints findings, grouped by file, each with its replacement. */
const report = (findings: ReadonlyArray<Finding>): void => {
  for (const [file, ofFile] of Map.groupBy(findings, ({ file }) => file)) {
    console.log(`\n${file} (${ofFile.length})`)
    for (const finding of ofFile) console.log(describe(finding))
  }
}

const findings = examineRepository()
const now = countFindings(findings)
const committed = readCounts(countsFile)
const totals = measures.map((measure) => `${totalOf(now, measure)} ${measure}`).join(", ")

if (values.report) {
  const paths = positionals.map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""))
  const chosen = findings.filter(
    ({ file, measure }) =>
      (paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`))) &&
      (!values.public || measure !== "internal")
  )
  report(chosen)
  console.log(
    `\n${chosen.length} findings listed; "!" marks text that users read. In the repository: ${totals}.`
  )
} else if (values.update || committed === undefined) {
  const refused = committed === undefined ? [] : refusedRises(committed, now)
  for (const { folder, measure, before, now } of refused) {
    console.error(`${folder}: ${measure} would rise from ${before} to ${now}. Counts only fall.`)
  }
  if (refused.length > 0) process.exitCode = 1
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
  const strict = isPublicTextRatcheted
    ? []
    : findings.filter(({ measure }) => strictMeasures.includes(measure))
  report(strict)
  if (rises.length > 0 || strict.length > 0) process.exitCode = 1
  const fallen = measures.filter((measure) => totalOf(now, measure) < totalOf(committed, measure))
  const hint =
    rises.length === 0 && fallen.length > 0
      ? " Run `npm run check:language -- --update` to lower the counts."
      : ""
  console.log(`Language: ${totals}.${hint}`)
}
