/**
 * A Vitest reporter that prints the CPU time of each suite: of each test file, summed by package. It writes them to
 * `node_modules/.cache/lectern-cpu.json`. It fails no run, as CPU times depend on the machine, but warns if the run has taken more than
 * `LECTERN_TEST_CPU_MINUTES`.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { Reporter, TestModule } from "vitest/node"
import { treeCpuMs } from "./cpuTime.ts"

/** The file with the CPU times of the latest run, in seconds. */
const cpuTimeFile = fileURLToPath(new URL("../node_modules/.cache/lectern-cpu.json", import.meta.url))

/** The contents of {@link cpuTimeFile}. */
interface CpuTimes {
  /** The whole run, including Vitest and the database servers. */
  readonly total: number
  /** The PostgreSQL server of the run. */
  readonly postgres: number
  /** The time by test file. */
  readonly files: Readonly<Record<string, number>>
}

/** The number of files whose times are printed. */
const printedFiles = 15

const packageOf = (file: string): string => file.replace(/\/(?:test\/.*|[^/]*)$/, "")

const seconds = (milliseconds: number): number => Math.round(milliseconds / 100) / 10

const format = (time: number, name: string): string => `${time.toFixed(1).padStart(9)} s  ${name}`

const measuredModules = (modules: ReadonlyArray<TestModule>): ReadonlyArray<readonly [string, number]> =>
  modules
    .map((module) => [module.relativeModuleId, module.meta().cpuMs ?? 0] as const)
    .toSorted(([, one], [, other]) => other - one)

/** The reporter. */
export const cpuTimeReporter: Reporter = {
  onTestRunEnd: (modules) => {
    const files = measuredModules(modules)
    const packages = new Map<string, number>()
    for (const [file, time] of files)
      packages.set(packageOf(file), (packages.get(packageOf(file)) ?? 0) + time)
    const { total, postgres } = treeCpuMs()
    const ofFiles = files.reduce((sum, [, time]) => sum + time, 0)
    const lines = [
      ...[...packages]
        .toSorted(([, one], [, other]) => other - one)
        .map(([name, time]) => format(seconds(time), name)),
      format(seconds(postgres), "the PostgreSQL server"),
      format(seconds(Math.max(0, total - postgres - ofFiles)), "Vitest, and loading of modules"),
      format(seconds(total), `in total: ${(total / 60_000).toFixed(1)} minutes of CPU time`),
      "           Files:",
      ...files.slice(0, printedFiles).map(([file, time]) => format(seconds(time), file))
    ]
    const limit = Number(process.env.LECTERN_TEST_CPU_MINUTES ?? Number.POSITIVE_INFINITY)
    if (total / 60_000 > limit) {
      lines.push(
        `    Warning: the tests take more than ${limit} minutes of CPU time. Move tests to testing/fastSelection.ts.`
      )
    }
    console.log(`    CPU time of suites\n${lines.join("\n")}\n`)
    const times: CpuTimes = {
      total: seconds(total),
      postgres: seconds(postgres),
      files: Object.fromEntries(files.map(([file, time]) => [file, seconds(time)]))
    }
    mkdirSync(dirname(cpuTimeFile), { recursive: true })
    writeFileSync(cpuTimeFile, `${JSON.stringify(times, undefined, 2)}\n`)
  }
}
