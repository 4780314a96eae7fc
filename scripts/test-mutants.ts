/**
 * Plants each bug of `testing/mutants` in a copy of the repository, and runs the tests until one fails:
 * `npm run test:mutants -- [--minutes 60] [--workers 2] [--suites-only] [--restart] [names]`. The suites that a patch names run first, with
 * the share of the cases that `npm test` has, also the suites that only `npm run test:rest` runs. Then all of `npm test` runs, unless
 * `--suites-only` is given. Run `npm test` first: a test that fails without a bug would count as having found it. No suite begins after
 * the time.
 *
 * Results are stored after each bug, and a further run continues: it repeats the bugs that were not found, and the bugs with a changed
 * patch. The exit code is 1 if one was not found.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, matchesGlob, relative } from "node:path"
import { parseArgs } from "node:util"
import { createVitest } from "vitest/node"
import { fastShare, testsOfAll } from "../testing/fastSelection.ts"
import { copyFolder, createCopy, restoreFile } from "./mutants/copy.ts"
import { applyPatch, type Mutant, readMutants, repository } from "./mutants/patches.ts"

/** The outcome for one bug. */
interface Result {
  readonly digest: string
  /** The test file that failed; undefined if none did. */
  readonly foundBy: string | undefined
  readonly test: string | undefined
  readonly seconds: number
}

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    workers: { type: "string", default: "2" },
    "suites-only": { type: "boolean", default: false },
    restart: { type: "boolean", default: false }
  },
  allowPositionals: true
})

const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  console.error("--minutes must be a number above 0.")
  process.exit(2)
}
const workers = Number(values.workers)
if (!Number.isInteger(workers) || workers < 1) {
  console.error("--workers must be a whole number above 0.")
  process.exit(2)
}
const deadline = performance.now() + minutes * 60_000
const cache = join(repository, "node_modules", ".cache", "lectern-mutants")
const resultFile = join(cache, "results.json")
const reportFile = join(cache, "report.json")
mkdirSync(cache, { recursive: true })
if (values.restart) rmSync(resultFile, { force: true })
const results: Record<string, Result> = existsSync(resultFile)
  ? (JSON.parse(readFileSync(resultFile, "utf8")) as Record<string, Result>)
  : {}

/** A test that failed. */
interface Failure {
  readonly file: string
  readonly test: string
}

/** One Vitest for the suites of all bugs: starting it, and transforming the modules, takes longer than most suites. */
const startVitest = async () => {
  const vitest = await createVitest("test", {
    root: copyFolder,
    // All files: a suite that `npm test` omits can be the one that is expected to find the bug.
    config: join(copyFolder, "vitest.config.ts"),
    env: { LECTERN_TEST_SELECTION: "fast", LECTERN_TEST_RUNS: String(fastShare) },
    watch: false,
    maxWorkers: workers,
    reporters: [{}]
  })
  await vitest.standalone()
  return {
    /** Runs test files in their order, and returns the first test that fails. Programs that tests start do not have the bug. */
    findFailure: async (suites: ReadonlyArray<string>): Promise<Failure | "timeout" | undefined> => {
      for (const suite of suites) {
        if (performance.now() >= deadline) return "timeout"
        const specifications = await vitest.globTestSpecifications([suite])
        if (specifications.length === 0) throw new Error(`There is no test file ${suite}.`)
        const { testModules } = await vitest.runTestSpecifications(specifications)
        // The results contain the modules of earlier runs.
        for (const module of testModules.filter(({ relativeModuleId }) => relativeModuleId === suite)) {
          for (const test of module.children.allTests("failed")) return { file: suite, test: test.fullName }
        }
      }
      return undefined
    },
    /** Transforms a file again when a test imports it. */
    forget: (file: string) => vitest.invalidateFile(join(copyFolder, file)),
    close: () => vitest.close()
  }
}

/** The parts of Vitest's JSON report that are read. */
interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

/** Runs `npm test` in the copy, in a process of its own, until a test fails. */
const findFailureOfAll = async (): Promise<Failure | "timeout" | undefined> => {
  rmSync(reportFile, { force: true })
  const vitest = spawn(
    process.execPath,
    [
      join(repository, "node_modules", "vitest", "vitest.mjs"),
      ...["run", "--config", "vitest.fast.config.ts", "--bail", "1"],
      ...["--reporter", "json", "--outputFile", reportFile]
    ],
    { cwd: copyFolder, stdio: ["ignore", "ignore", "pipe"] }
  )
  let errors = ""
  vitest.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const timer = setTimeout(() => vitest.kill("SIGINT"), Math.max(0, deadline - performance.now()))
  await once(vitest, "exit")
  clearTimeout(timer)
  if (performance.now() >= deadline) return "timeout"
  if (!existsSync(reportFile)) throw new Error(`Vitest reported nothing:\n${errors.slice(-4_000)}`)
  const { testResults } = JSON.parse(readFileSync(reportFile, "utf8")) as Report
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === "failed")
    if (failed !== undefined) return { file: relative(copyFolder, name), test: failed.fullName }
  }
  return undefined
}

/** Plants a bug, runs the suites that are expected to find it and then the others, and removes the bug. */
const examine = async (
  { patch, files, suites, digest }: Mutant,
  vitest: Awaited<ReturnType<typeof startVitest>>
): Promise<Result | "timeout"> => {
  const started = performance.now()
  const error = applyPatch(patch, copyFolder)
  if (error !== undefined) throw new Error(error)
  for (const file of files) vitest.forget(file)
  try {
    const expected = await vitest.findFailure(suites)
    const failure = expected ?? (values["suites-only"] ? undefined : await findFailureOfAll())
    if (failure === "timeout") return failure
    const seconds = Math.round((performance.now() - started) / 1_000)
    return { digest, foundBy: failure?.file, test: failure?.test, seconds }
  } finally {
    for (const file of files) {
      restoreFile(file)
      vitest.forget(file)
    }
  }
}

const mutants = readMutants().filter(({ name }) => positionals.length === 0 || positionals.includes(name))
createCopy()
const isKnown = ({ name, digest }: Mutant): boolean =>
  results[name]?.digest === digest && results[name].foundBy !== undefined
const vitest = await startVitest()
for (const mutant of mutants) {
  if (isKnown(mutant)) continue
  const result = performance.now() < deadline ? await examine(mutant, vitest) : "timeout"
  if (result === "timeout") break
  results[mutant.name] = result
  writeFileSync(resultFile, `${JSON.stringify(results, undefined, 2)}\n`)
  const outcome = result.foundBy === undefined ? "NOT FOUND" : `${result.foundBy}: ${result.test}`
  console.log(`${String(result.seconds).padStart(5)} s  ${mutant.name}\n         ${outcome}`)
}

await vitest.close()

const missed = mutants.filter(
  ({ name }) => results[name] !== undefined && results[name].foundBy === undefined
)
const pending = mutants.filter(({ name }) => results[name] === undefined)
const found = mutants.filter(isKnown)
/** Whether only `npm run test:rest` runs the file that has found a bug. */
const isOmitted = ({ name }: Mutant): boolean =>
  testsOfAll.some((pattern) => matchesGlob(results[name]!.foundBy!, pattern))
const byRest = found.filter(isOmitted)
const seconds = found.reduce((sum, { name }) => sum + results[name]!.seconds, 0)
console.log(
  `\n${found.length} of ${mutants.length} planted bugs were found, ${found.length - byRest.length} by \`npm test\` and ` +
    `${byRest.length} by suites that only \`npm run test:rest\` runs, in ${Math.round(seconds / 60)} minutes.`
)
for (const { name, title } of missed) console.log(`Not found: ${name}: ${title}`)
if (pending.length > 0) console.log(`${pending.length} were not examined. Run the command again to continue.`)
process.exitCode = missed.length > 0 ? 1 : 0
