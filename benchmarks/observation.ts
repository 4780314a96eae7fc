/**
 * Measures the overhead of the spans and metrics of operations: the CPU time of a request with them, as a ratio of
 * that without them. The servers share a process and a store and are measured alternately in random order, so that other
 * load on the machine affects all of them. Requests do not pass a socket: a server that reads from one needs more time
 * for each request, and the ratio is smaller there.
 */
import { ObserveOperations, type RecordsAdapter, Workspace } from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { Layer, ManagedRuntime, Tracer } from "effect"
import { median } from "./processes.ts"
import type { Measured } from "./workspace.ts"

const rounds = 60
const requestsPerRound = 300

/** A tracer that is installed, and exports nothing. */
const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })

const modes = {
  off: Layer.succeed(ObserveOperations, false),
  metrics: Layer.empty,
  "spans and metrics": Layer.succeed(Tracer.Tracer, tracer)
}
type Mode = keyof typeof modes
const modeNames = Object.keys(modes) as ReadonlyArray<Mode>

/** The CPU time of `count` sequential requests, in microseconds. */
const cpuOf = async (request: () => Promise<Response>, count: number): Promise<number> => {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    const response = await request()
    if (!response.ok) throw new Error(`A request failed with ${response.status}.`)
    await response.arrayBuffer()
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** Prints, for each request, its CPU time when operations are observed as a ratio of that when they are not. */
export const measureObservation = async (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  { organization, space, token }: Measured
): Promise<void> => {
  const servers = modeNames.map((mode) => {
    const runtime = ManagedRuntime.make(
      Workspace.layer.pipe(Layer.provide(storage), Layer.provideMerge(modes[mode]))
    )
    return { mode, runtime, handle: toWebHandler({ runtime }) }
  })
  const cases = [
    { title: "get a space", path: `/v1/spaces/${space}` },
    { title: "list 50 spaces", path: `/v1/orgs/${organization}/spaces` }
  ]
  try {
    for (const { title, path } of cases) {
      const request = (handle: (request: Request) => Promise<Response>) => () =>
        handle(new Request(`http://127.0.0.1${path}`, { headers: { authorization: `Bearer ${token}` } }))
      for (const { handle } of servers) await cpuOf(request(handle), requestsPerRound * 5)
      const found: Record<Mode, Array<number>> = { off: [], metrics: [], "spans and metrics": [] }
      for (let round = 0; round < rounds; round++) {
        const turns = servers
          .map((server) => ({ server, at: Math.random() }))
          .toSorted((one, other) => one.at - other.at)
        for (const { server } of turns) {
          found[server.mode].push(await cpuOf(request(server.handle), requestsPerRound))
        }
      }
      const ratios = modeNames.slice(1).map((mode) => {
        const ratio = median(found[mode].map((cpu, round) => cpu / found.off[round]!))
        return `${ratio.toFixed(3)} with ${mode}`
      })
      const micros = median(found.off) / requestsPerRound
      console.log(`Observation, ${title}: ${ratios.join(", ")}, of ${micros.toFixed(0)} µs of CPU without`)
    }
  } finally {
    for (const { runtime } of servers) await runtime.dispose()
  }
}
