/** Runs random scenarios on a running server, and compares it with the model. */
import * as fc from "fast-check"
import { scaledRuns } from "../conformance/numRuns.ts"
import { makeHttpApi, type TestedServer } from "./api/HttpApi.ts"
import { features, runScenario, type Theme, themeArbitrary, themes } from "./scenario.ts"

/** The options of a check: which scenarios run, and how many. */
export interface ServerCheck {
  /** The kinds of scenarios; all of `themes` by default. */
  readonly themes?: ReadonlyArray<Theme>
  /** The number of scenarios per unit of the weight of a theme, times `LECTERN_TEST_RUNS`; 2 by default. */
  readonly scenarios?: number
  /** The maximum number of steps of a scenario after its beginning; 30 by default. */
  readonly steps?: number
  /** The seed of the scenarios, which the message of a failure contains; a random one by default. */
  readonly seed?: number
  /** The path of a counterexample, which the message of a failure contains, to run only this one. */
  readonly path?: string
}

/** How long scenarios of a theme are generated and shrunk at most, in milliseconds. */
const timeLimitMs = 120_000

/** Checks the scenarios of one theme. Rejects with a counterexample and the calls that reproduce it. */
export const checkTheme = async (
  server: TestedServer,
  theme: Theme,
  { scenarios = 2, steps = 30, seed, path }: ServerCheck = {}
): Promise<void> => {
  const api = makeHttpApi(server)
  const name = `properties-${crypto.randomUUID().slice(0, 8)}`
  let count = 0
  await fc.assert(
    fc.asyncProperty(themeArbitrary(features, theme, steps), (list) =>
      runScenario(api, `${name}-${count++}`, list, { observers: 1 })
    ),
    {
      ...scaledRuns(scenarios * theme.weight),
      interruptAfterTimeLimit: timeLimitMs,
      ...(seed === undefined ? {} : { seed }),
      ...(path === undefined ? {} : { path })
    }
  )
}

/**
 * Runs random scenarios of the users of a server, and compares what each user sees with the model. Rejects if the server deviates:
 * the error contains the shortest scenario that was found, as lines of `curl`, with the seed and the path that repeat it.
 *
 * @example
 * await checkServer({ url: "http://127.0.0.1:4400", token })
 */
export const checkServer = async (server: TestedServer, check: ServerCheck = {}): Promise<void> => {
  for (const theme of check.themes ?? themes) await checkTheme(server, theme, check)
}
