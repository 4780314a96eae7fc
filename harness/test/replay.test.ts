/** A failed property prints a command that replays its counterexample. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { defaultSeed, readReplay } from "../../testing/replay.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Runs a shell command at the root of the repository, as a developer does, with the canaries enabled. */
const runCommand = (command: string): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|LECTERN_|NODE_)/.test(name))
    const env = { ...Object.fromEntries(inherited), LECTERN_TEST_CANARY: "1", NO_COLOR: "1" }
    const child = spawn("sh", ["-c", command], { cwd: root, env })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    }
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, output }))
  })

interface Failure {
  readonly tests: number
  readonly counterexample: string
  readonly command: string
}

/** Parses the failures in the output of vitest, in the order of the tests. */
const failuresIn = (output: string): ReadonlyArray<Failure> =>
  [
    ...output.matchAll(
      /Property failed after (\d+) tests\n[\s\S]*?Counterexample: (.*)\n[\s\S]*?Replay this case:\n(.*)/g
    )
  ].map(([, tests, counterexample, command]) => ({
    tests: Number(tests),
    counterexample: counterexample!,
    command: command!
  }))

it("prints a command that fails with the same counterexample, in one run", async () => {
  const first = await runCommand("npx vitest run harness/test/replay.canary.ts")
  const failures = failuresIn(first.output)
  expect(first.code, first.output).toBe(1)
  expect(failures).toHaveLength(2)
  expect(failures[0]!.counterexample).toBe('[["right","right","right"]]')
  // The choices of a step print by name.
  expect(failures[1]!.counterexample).toMatch(/"do":"rename","actor":"(permitted|anyone)","user":\d+/)
  const check = async ({ command, counterexample }: Failure) => {
    expect(command).toMatch(new RegExp(`^LECTERN_TEST_SEED=${defaultSeed} `))
    expect(command).toMatch(
      /^LECTERN_TEST_SEED=-?\d+ LECTERN_TEST_PATH=[\d:@]+ npx vitest run harness\/test\/replay\.canary\.ts -t '/
    )
    const replayed = await runCommand(command)
    expect(replayed.code, replayed.output).toBe(1)
    expect(failuresIn(replayed.output)).toEqual([{ tests: 1, counterexample, command: expect.any(String) }])
  }
  await Promise.all(failures.map(check))
})

it("uses the same seed in every run, and another one only on request", async () => {
  expect(readReplay({}).seed).toBe(defaultSeed)
  expect(readReplay({ LECTERN_TEST_SEED: "-7" }).seed).toBe(-7)
  const first = await runCommand("npx vitest run harness/test/replay.canary.ts")
  for (const { command } of failuresIn(first.output))
    expect(command).toContain(`LECTERN_TEST_SEED=${defaultSeed} `)
})

it.each([
  [{ LECTERN_TEST_SEED: "x" }, 'LECTERN_TEST_SEED must be an integer, and is "x".'],
  [{ LECTERN_TEST_PATH: "0:1" }, "LECTERN_TEST_PATH needs LECTERN_TEST_SEED."],
  [
    { LECTERN_TEST_SEED: "1", LECTERN_TEST_PATH: "here" },
    'LECTERN_TEST_PATH must be a path of fast-check, such as 5:0:1, and is "here".'
  ]
])("rejects %o", (env, message) => {
  expect(() => readReplay(env)).toThrow(message)
})
