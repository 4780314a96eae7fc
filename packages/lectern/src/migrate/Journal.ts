/**
 * The journal of a migration: which resources are copied, with the ids of their copies. It is a file to which lines are appended, so
 * that a process can be killed at any time. A resource is noted before it is created, and after.
 */
import { createHash } from "node:crypto"
import { type FileHandle, mkdir, open, readFile, truncate } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema, Semaphore } from "effect"
import { ConfigurationError } from "../settings/Setting.ts"

/** The migration that a journal belongs to: the rest of its file is valid for this migration only. */
const Migration = Schema.Struct({
  version: Schema.Literal(1),
  /** The id of the migration, from which idempotency keys are derived. */
  id: Schema.String,
  from: Schema.String,
  fromOrganization: Schema.String,
  to: Schema.String,
  toOrganization: Schema.String
})

/** The migration that a journal belongs to. */
export type Migration = typeof Migration.Type

const Entry = Schema.Union([
  Schema.Struct({ migration: Migration }),
  Schema.Struct({ existing: Schema.String, ids: Schema.Array(Schema.String) }),
  Schema.Struct({ started: Schema.String }),
  Schema.Struct({ done: Schema.String, id: Schema.String }),
  Schema.Struct({ note: Schema.String, text: Schema.String })
])

const JsonEntry = Schema.fromJsonString(Entry)

/** The journal of a migration. */
export interface Journal {
  readonly migration: Migration
  /** Returns the id of the copy of a resource, or `undefined` if it is not copied. */
  readonly idOf: (key: string) => string | undefined
  /** Whether the copy of a resource was begun, and maybe created. */
  readonly isStarted: (key: string) => boolean
  /** The keys that begin with a prefix, with the ids of the copies. */
  readonly entries: (prefix: string) => ReadonlyArray<readonly [key: string, id: string]>
  /** The ids that the target had before, by kind. `undefined` if they are not recorded yet. */
  readonly existing: (kind: string) => ReadonlySet<string> | undefined
  readonly recordExisting: (kind: string, ids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly start: (key: string) => Effect.Effect<void>
  readonly finish: (key: string, id: string) => Effect.Effect<void>
  /** Stores text under a name, and replaces the earlier text. */
  readonly note: (name: string, text: string) => Effect.Effect<void>
  readonly noteOf: (name: string) => string | undefined
  /** The names of notes that begin with a prefix, with their text. */
  readonly notes: (prefix: string) => ReadonlyArray<readonly [name: string, text: string]>
  /** The idempotency key of the creation of a resource. */
  readonly keyOf: (key: string) => string
}

const failed = (path: string) => (cause: unknown) =>
  new ConfigurationError({
    message: `The journal ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
  })

/** Reads the complete lines. A process that was killed can have left a part of a line, which is cut off. */
const readLines = async (path: string): Promise<ReadonlyArray<string>> => {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return ""
    throw error
  })
  const end = text.lastIndexOf("\n") + 1
  if (end < text.length) await truncate(path, Buffer.byteLength(text.slice(0, end)))
  return text.slice(0, end).split("\n").slice(0, -1)
}

const differs = (before: Migration, now: Omit<Migration, "id" | "version">): string | undefined =>
  (["from", "fromOrganization", "to", "toOrganization"] as const)
    .filter((field) => before[field] !== now[field])
    .map((field) => `${field} is ${before[field]}`)[0]

/**
 * Opens the journal in a folder, or begins one. Fails if it is that of another migration. The file closes with the scope.
 */
export const openJournal = Effect.fnUntraced(function* (
  folder: string,
  migration: Omit<Migration, "id" | "version">,
  newId: string
) {
  const path = join(folder, "journal.jsonl")
  const io = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: failed(path) })
  yield* io(() => mkdir(folder, { recursive: true, mode: 0o700 }))
  const lines = yield* io(() => readLines(path))
  const started = new Set<string>()
  const done = new Map<string, string>()
  const existing = new Map<string, ReadonlySet<string>>()
  const notes = new Map<string, string>()
  let found: Migration | undefined
  for (const line of lines) {
    const entry = yield* Effect.mapError(Schema.decodeUnknownEffect(JsonEntry)(line), failed(path))
    if ("migration" in entry) found = entry.migration
    else if ("existing" in entry) existing.set(entry.existing, new Set(entry.ids))
    else if ("started" in entry) started.add(entry.started)
    else if ("note" in entry) notes.set(entry.note, entry.text)
    else done.set(entry.done, entry.id)
  }
  const difference = found === undefined ? undefined : differs(found, migration)
  if (difference !== undefined) {
    return yield* new ConfigurationError({
      message: `The folder ${folder} has the journal of another migration, whose ${difference}. Choose another folder with --folder.`
    })
  }
  const file: FileHandle = yield* Effect.acquireRelease(
    io(() => open(path, "a", 0o600)),
    (handle) => Effect.promise(() => handle.close())
  )
  const oneAtATime = yield* Semaphore.make(1)
  const append = (entry: typeof Entry.Type): Effect.Effect<void> =>
    Semaphore.withPermits(
      oneAtATime,
      1
    )(
      Effect.promise(async () => {
        await file.appendFile(`${JSON.stringify(entry)}\n`)
        await file.datasync()
      })
    )
  const current = found ?? { version: 1 as const, id: newId, ...migration }
  if (found === undefined) yield* append({ migration: current })

  const withPrefix = (map: ReadonlyMap<string, string>, prefix: string) =>
    [...map].filter(([key]) => key.startsWith(prefix))

  return {
    migration: current,
    idOf: (key) => done.get(key),
    isStarted: (key) => started.has(key),
    entries: (prefix) => withPrefix(done, prefix),
    existing: (kind) => existing.get(kind),
    recordExisting: (kind, ids) => {
      existing.set(kind, new Set(ids))
      return append({ existing: kind, ids: [...ids] })
    },
    start: (key) => {
      if (started.has(key)) return Effect.void
      started.add(key)
      return append({ started: key })
    },
    finish: (key, id) => {
      done.set(key, id)
      return append({ done: key, id })
    },
    note: (name, text) => {
      notes.set(name, text)
      return append({ note: name, text })
    },
    noteOf: (name) => notes.get(name),
    notes: (prefix) => withPrefix(notes, prefix),
    keyOf: (key) => createHash("sha256").update(`${current.id}\n${key}`).digest("hex")
  } satisfies Journal
})
