/**
 * Replays a failed property: builds the command that a failure prints, and parses the environment variables of the
 * command.
 */

/** The seed without `LECTERN_TEST_SEED`: every run generates the same cases. `npm run test:long` searches with other seeds. */
export const defaultSeed = 20_261_121

/** The selection of properties to replay. */
export interface Replay {
  /** The fast-check seed of every property. */
  readonly seed: number
  /** The fast-check path to one case. */
  readonly path: string | undefined
  /** The property of the test to which the path belongs; 0 is the first that runs. */
  readonly property: number
}

/**
 * Reads `LECTERN_TEST_SEED` and `LECTERN_TEST_PATH`. A path `2@5:0:1` belongs to the third property of a test, a path
 * `5:0:1` to the first.
 */
export const readReplay = (env: Readonly<Record<string, string | undefined>>): Replay => {
  const { LECTERN_TEST_SEED: seed, LECTERN_TEST_PATH: path } = env
  if (seed !== undefined && !/^-?\d+$/.test(seed)) {
    throw new Error(`LECTERN_TEST_SEED must be an integer, and is "${seed}".`)
  }
  if (path === undefined) {
    return { seed: seed === undefined ? defaultSeed : Number(seed), path: undefined, property: 0 }
  }
  const [, property = "0", steps] = /^(?:(\d+)@)?(\d+(?::\d+)*)$/.exec(path) ?? []
  if (steps === undefined) {
    throw new Error(`LECTERN_TEST_PATH must be a path of fast-check, such as 5:0:1, and is "${path}".`)
  }
  if (seed === undefined) throw new Error("LECTERN_TEST_PATH needs LECTERN_TEST_SEED.")
  return { seed: Number(seed), path: steps, property: Number(property) }
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A failed property. `title` and `path` are undefined outside of tests and if no single case failed. */
export interface FailedProperty {
  readonly file: string
  readonly title: string | undefined
  readonly seed: number
  readonly path: string | undefined
  readonly property: number
}

/** The shell command that replays a failed property. `runs` is the value of `LECTERN_TEST_RUNS`, if it is set. */
export const replayCommand = (
  { file, title, seed, path, property }: FailedProperty,
  runs: string | undefined
): string => {
  const variables = [
    ...(runs === undefined ? [] : [`LECTERN_TEST_RUNS=${runs}`]),
    `LECTERN_TEST_SEED=${seed}`,
    ...(title === undefined || path === undefined
      ? []
      : [`LECTERN_TEST_PATH=${property === 0 ? "" : `${property}@`}${path}`])
  ]
  const pattern = title?.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  const filter = pattern === undefined ? "" : ` -t ${quoteForShell(`^${pattern}$`)}`
  return `${variables.join(" ")} npx vitest run ${file}${filter}`
}
