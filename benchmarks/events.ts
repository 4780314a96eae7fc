/**
 * The cost of events and of audit records per write: statements, and CPU time of the process compared with a workspace that
 * records none. The workspaces alternate, so that the load of the machine affects both. Also the CPU time of numbering and
 * reading an event.
 *
 * `npm run bench:events`
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createWorkspace, EventLog } from "@lectern/core"
import { makeCountingStorage } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect } from "effect"

const rounds = 12
const writesPerRound = 60

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))

const open = async (
  name: string,
  retention: { readonly eventRetentionDays?: number; readonly auditRetentionDays?: number }
) => {
  const counting = makeCountingStorage(SqliteStorage.layer({ filename: join(folder, `${name}.db`) }))
  const workspace = createWorkspace({ storage: counting.layer, ...retention })
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const ada = workspace.as(user)
  const { id: space } = await ada.spaces.create({ organization })
  const { id: first } = await ada.collections.create({ organization })
  let number = 0
  return {
    workspace,
    takeVerbs: counting.takeVerbs,
    kinds: {
      "create a collection": () => ada.collections.create({ organization, input: { parent: first } }),
      "rename a space": () => ada.spaces.update({ space, input: { title: String(number++) } }),
      "edit content": () =>
        ada.content.edit({
          content: { space },
          input: { changes: [{ operation: "insert_page", document: { markdown: `# Page ${number++}` } }] }
        }),
      "post a comment": () =>
        ada.comments.create({ target: { space }, input: { body: { markdown: `Comment ${number++}` } } })
    }
  }
}

type Opened = Awaited<ReturnType<typeof open>>

/** The CPU time of the process while it runs `work`, in microseconds. */
const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

const repeat = async (write: () => Promise<unknown>) => {
  for (let i = 0; i < writesPerRound; i++) await write()
}
const statementsOf = async ({ kinds, takeVerbs }: Opened, kind: keyof Opened["kinds"]): Promise<number> => {
  takeVerbs()
  await kinds[kind]()
  return takeVerbs().length
}

/** Prints the statements and the CPU time of each kind of write, in a workspace that records and in one that does not. */
const compare = async (recorded: string, without: Opened, recording: Opened): Promise<void> => {
  const lines: Array<ReadonlyArray<string>> = [
    ["write", "statements", `with ${recorded}`, "CPU µs", `with ${recorded}`, "ratio"]
  ]
  for (const kind of Object.keys(recording.kinds) as ReadonlyArray<keyof Opened["kinds"]>) {
    await repeat(without.kinds[kind])
    await repeat(recording.kinds[kind])
    const times: { readonly off: Array<number>; readonly on: Array<number> } = { off: [], on: [] }
    for (let round = 0; round < rounds; round++) {
      times.off.push((await cpuOf(() => repeat(without.kinds[kind]))) / writesPerRound)
      times.on.push((await cpuOf(() => repeat(recording.kinds[kind]))) / writesPerRound)
    }
    const ratio = median(times.on.map((on, round) => on / times.off[round]!))
    lines.push([
      kind,
      String(await statementsOf(without, kind)),
      String(await statementsOf(recording, kind)),
      median(times.off).toFixed(0),
      median(times.on).toFixed(0),
      ratio.toFixed(2)
    ])
  }
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  for (const line of lines) {
    process.stdout.write(`${line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")}\n`)
  }
}

const withEvents = await open("with", {})
const withoutEvents = await open("without-events", { eventRetentionDays: 0 })
const withoutAudit = await open("without-audit", { auditRetentionDays: 0 })
await compare("events", withoutEvents, withEvents)
await compare("audit", withoutAudit, withEvents)

let count = 0
const numbering = await cpuOf(async () => {
  count = await withEvents.workspace.runtime.runPromise(Effect.flatMap(EventLog, (log) => log.number))
})
const reading = await cpuOf(async () => {
  const { runPromise } = withEvents.workspace.runtime
  for (let after = 0; ; ) {
    const batch = await runPromise(Effect.flatMap(EventLog, (log) => log.read(after)))
    if (batch.length === 0) break
    after = batch.at(-1)!.sequence
  }
})
process.stdout.write(
  `Numbering ${count} events took ${(numbering / count).toFixed(0)} µs of CPU time each; reading took ${(reading / count).toFixed(0)} µs each.\n`
)

await withEvents.workspace.dispose()
await withoutEvents.workspace.dispose()
await withoutAudit.workspace.dispose()
rmSync(folder, { recursive: true, force: true })
