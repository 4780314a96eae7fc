/**
 * Measures the rows and bytes that an hour of writing stores: an editor saves a page of a change request every 15 seconds, after each sentence. States the
 * bytes of the database, the revisions and the events, when each save is a revision and when automatic saves are joined. Fails if
 * joined saves store more than a quarter. Run with `npm run bench:writing`.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Content, createWorkspace, EventLog } from "@lectern/core"
import { sqlite } from "@lectern/storage-sqlite"
import { Effect } from "effect"

const saves = 240
const intervalMs = 15_000
const dayMs = 24 * 60 * 60 * 1_000
/** The size of the page before the hour, in characters: that of a long guide. */
const pageLength = 20_000
/** The part of the bytes of separate saves that joined saves may store. */
const maximumRatio = 1 / 4

const words = ["writers", "change", "pages", "of", "the", "guide", "and", "publish", "them", "together"]

/** Returns different sentences in each call, so that they do not compress to nothing. */
const sentence = (seed: number): string =>
  Array.from(
    { length: 12 },
    (_, at) => `${words[(seed * 7 + at * 3) % words.length]}${(seed * 31 + at) % 97}`
  ).join(" ")

const start = Date.UTC(2026, 0, 5, 9)
let time = start
Date.now = () => time

interface Stored {
  readonly bytes: number
  readonly revisions: number
  readonly events: number
}

const sizeOf = (file: string): number => {
  const database = new DatabaseSync(file)
  database.exec("VACUUM")
  database.close()
  return statSync(file).size
}

const count = (file: string, table: string): number => {
  const database = new DatabaseSync(file)
  const { n } = database.prepare(`SELECT count(*) AS n FROM "${table}"`).get() as { readonly n: number }
  database.close()
  return n
}

/** Writes for an hour, and then lets the server remove what nothing refers to. */
const write = async (automatic: boolean): Promise<Stored> => {
  time = start
  const folder = mkdtempSync(join(tmpdir(), "lectern-writing-"))
  const file = join(folder, "lectern.db")
  const open = () => createWorkspace({ storage: sqlite(file), logger: () => undefined })
  const workspace = open()
  const { administrator, organization } = (await workspace.administration.bootstrap({
    input: { organization: "Acme", email: "ada@example.com" }
  }))!
  const as = workspace.as(administrator)
  const { id: space } = await as.spaces.create({ organization, input: { title: "Guide" } })
  const paragraphs: Array<string> = []
  for (let at = 0; paragraphs.join("\n\n").length < pageLength; at++) paragraphs.push(sentence(at + 1_000))
  const text = () => paragraphs.join("\n\n")
  await as.content.edit({
    content: { space },
    input: { changes: [{ operation: "insert_page", title: "Page", document: { markdown: text() } }] }
  })
  const page = (await as.content.listPages({ content: { space } })).pages[0]!.id
  const { id: changeRequest } = await as.changeRequests.create({ space, input: {} })
  const content = { space, changeRequest }
  await workspace.dispose()
  const before = { bytes: sizeOf(file), revisions: count(file, "revisions") }

  const server = open()
  for (let at = 0; at < saves; at++) {
    time += intervalMs
    paragraphs.splice((at * 13) % paragraphs.length, 0, sentence(at))
    await server.as(administrator).content.edit({
      content,
      input: {
        automatic,
        changes: [{ operation: "update_page", page, document: { markdown: text() } }]
      }
    })
  }
  const read = Effect.flatMap(EventLog, (log) => Effect.orDie(log.read(0, {}, 10_000)))
  const log = await server.runtime.runPromise(read)
  const events = log.filter(({ data }) => data.changeRequest === changeRequest).length
  for (let day = 0; day < 3; day++) {
    time += dayMs
    await server.runtime.runPromise(
      Effect.flatMap(Content, ({ sweep, removeReplaced }) => Effect.andThen(sweep, removeReplaced))
    )
  }
  await server.dispose()
  const stored = {
    bytes: sizeOf(file) - before.bytes,
    revisions: count(file, "revisions") - before.revisions,
    events
  }
  rmSync(folder, { recursive: true })
  return stored
}

const print = (name: string, { bytes, revisions, events }: Stored): void =>
  console.log(
    `${name}: ${Math.round(bytes / 1024).toLocaleString("en")} KiB per hour of writing, ${revisions} revisions, ${events} events`
  )

const separate = await write(false)
print("separate saves", separate)
const joined = await write(true)
print("automatic saves", joined)
const ratio = joined.bytes / separate.bytes
console.log(`ratio of bytes: ${ratio.toFixed(3)} (at most ${maximumRatio})`)
if (ratio > maximumRatio) process.exitCode = 1
