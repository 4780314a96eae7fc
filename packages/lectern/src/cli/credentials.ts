/** The tokens of the servers that the person has logged in to, in a file that only they can read. */
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { Clock, Effect, Schema } from "effect"
import { ConfigurationError } from "../settings/Setting.ts"

/** The tokens of a server. */
export const ServerCredentials = Schema.Struct({
  accessToken: Schema.String,
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt: Schema.Number,
  refreshToken: Schema.String
})

/** The tokens of a server. */
export type ServerCredentials = typeof ServerCredentials.Type

const Credentials = Schema.Record(Schema.String, ServerCredentials)

/** The tokens by the URLs of servers. */
type Credentials = typeof Credentials.Type

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Credentials))

/** The folder of the configuration of the person. */
const configFolder = (): string =>
  join(
    process.env.XDG_CONFIG_HOME ??
      (process.platform === "win32" ? process.env.APPDATA : undefined) ??
      join(homedir(), ".config"),
    "lectern"
  )

const fileOf = (): string => join(configFolder(), "credentials.json")

/** How long another process has changed the file before its lock is ignored, in milliseconds. */
const staleLockMillis = 30_000

const pauseMillis = 50

const fail = (problem: string) => (cause: unknown) =>
  new ConfigurationError({
    message: `${problem} ${fileOf()}: ${cause instanceof Error ? cause.message : String(cause)}`
  })

const attempt = <A>(problem: string, run: () => Promise<A>): Effect.Effect<A, ConfigurationError> =>
  Effect.tryPromise({ try: run, catch: fail(problem) })

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/** Returns the tokens of all servers. */
export const readCredentials: Effect.Effect<Credentials, ConfigurationError> = Effect.gen(function* () {
  const text = yield* attempt("Cannot read", () =>
    readFile(fileOf(), "utf8").catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
  )
  return text === undefined ? {} : yield* Effect.mapError(decode(text), fail("Cannot read"))
})

/** Creates the lock file. Returns false while another process has it. */
const takeLock = async (path: string, now: number): Promise<boolean> => {
  try {
    await (await open(path, "wx", 0o600)).close()
    return true
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    const age = await stat(path).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0
    )
    if (age > staleLockMillis) await rm(path, { force: true })
    return false
  }
}

/**
 * Runs an effect while no other process changes the file: a refresh token that two processes used would end the login.
 */
export const withLock = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | ConfigurationError, R> => {
  const path = `${fileOf()}.lock`
  const acquire = Effect.gen(function* () {
    yield* attempt("Cannot write", () => mkdir(configFolder(), { recursive: true, mode: 0o700 }))
    const take = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      attempt("Cannot write", () => takeLock(path, now))
    )
    while (!(yield* take)) yield* Effect.sleep(pauseMillis)
  })
  return Effect.acquireUseRelease(
    acquire,
    () => effect,
    () => Effect.promise(() => rm(path, { force: true }))
  )
}

/** Replaces the tokens of a server, or removes them. The file is replaced as a whole. */
export const writeCredentials = Effect.fnUntraced(function* (
  url: string,
  credentials: ServerCredentials | undefined
) {
  const { [url]: _, ...others } = yield* readCredentials
  const next: Credentials = credentials === undefined ? others : { ...others, [url]: credentials }
  const temporary = `${fileOf()}.${process.pid}`
  yield* attempt("Cannot write", async () => {
    await writeFile(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
    // A file that existed keeps its mode.
    await chmod(temporary, 0o600)
    await rename(temporary, fileOf())
  })
})
