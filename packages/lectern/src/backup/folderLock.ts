/** A lock on a folder of backups, between processes and machines: one writes or deletes at a time. */
import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { BackupError } from "@lectern/core"
import { Effect, Schema } from "effect"
import { privateFileMode } from "./lineFiles.ts"

/** How often the owner touches the lock, in milliseconds. */
const heartbeatMs = 20_000

/** The age at which a lock is broken that its owner no longer touches, in milliseconds. */
const staleMs = 120_000

const Owner = Schema.fromJsonString(Schema.Struct({ host: Schema.String, pid: Schema.Int }))

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** Whether the owner of a lock has ended. */
const isAbandoned = async (path: string, now: number): Promise<boolean> => {
  const [text, stats] = await Promise.all([
    readFile(path, "utf8").catch(() => undefined),
    stat(path).catch(() => undefined)
  ])
  if (text === undefined || stats === undefined) return true
  if (now - stats.mtimeMs > staleMs) return true
  const owner = Schema.decodeUnknownOption(Owner)(text)
  return owner._tag === "Some" && owner.value.host === hostname() && !isRunning(owner.value.pid)
}

const acquire = async (folder: string, path: string, now: number): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const owner = JSON.stringify({ host: hostname(), pid: process.pid })
  const create = () => writeFile(path, owner, { flag: "wx", mode: privateFileMode })
  try {
    await create()
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
    if (!(await isAbandoned(path, now))) {
      throw new BackupError({
        reason: "Clash",
        message: `Another process writes to ${folder}. Repeat the command when it has ended. If it was killed, its lock ends automatically: within seconds on this machine, and after ${staleMs / 60_000} minutes on another.`
      })
    }
    await rm(path, { force: true })
    await create()
  }
}

/** Runs an effect while no other process writes to a folder. Fails with a `BackupError` if another one does. */
export const withFolderLock = <A, E, R>(
  folder: string,
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, E | BackupError, R> => {
  const path = join(folder, "lock")
  return Effect.acquireUseRelease(
    Effect.map(
      Effect.tryPromise({
        // The time of the system, as that of the file.
        try: () => acquire(folder, path, performance.timeOrigin + performance.now()),
        catch: (cause) =>
          cause instanceof BackupError
            ? cause
            : new BackupError({ reason: "NotFound", message: `${folder} cannot be written: ${cause}` })
      }),
      () =>
        setInterval(() => {
          const now = new Date()
          utimes(path, now, now).catch(() => {})
        }, heartbeatMs).unref()
    ),
    () => self,
    (timer) =>
      Effect.promise(async () => {
        clearInterval(timer)
        await rm(path, { force: true })
      })
  )
}
