/** The client of a transaction of Lectern, on which the host executes statements of its own. */
import { type HostConnection, HostTransactionError } from "@lectern/kernel"
import { checkHostStatement } from "@lectern/storage-sql"
import { classifyState } from "./classify.ts"

type Method = (...parameters: Array<unknown>) => unknown

/** The depth of the chain of causes in which an error of the server is searched: query builders wrap it. */
const maximumCauses = 5

/** Whether an error, or one of its causes, is a serialization failure or a deadlock. */
const isConflict = (error: unknown): boolean => {
  let cause = error
  for (let depth = 0; depth < maximumCauses && typeof cause === "object" && cause !== null; depth++) {
    if ("code" in cause && typeof cause.code === "string" && classifyState(cause.code) === "Conflict") {
      return true
    }
    cause = "cause" in cause ? cause.cause : undefined
  }
  return false
}

const textOf = (query: unknown): unknown =>
  typeof query === "object" && query !== null && "text" in query ? query.text : query

/** Methods that end the use of a client. Lectern does it, after the transaction. */
const ignored: ReadonlySet<PropertyKey> = new Set(["release", "end"])

/**
 * Shares a `pg.PoolClient` until `close`. Its `release` does nothing, so that query builders can treat it as the client of a
 * pool. `abandon` is called if a statement can still be running on it.
 */
export const shareClient = (client: object, abandon: () => void): HostConnection => {
  let isOpen = true
  const query: Method = (...parameters) => {
    const callback = parameters.find((parameter) => typeof parameter === "function")
    try {
      checkHostStatement(isOpen, textOf(parameters[0]))
    } catch (error) {
      if (callback !== undefined) throw error
      return Promise.reject(error)
    }
    return (Reflect.get(client, "query") as Method).apply(client, parameters)
  }
  const connection = new Proxy(client, {
    get: (_, name) => {
      if (name === "query") return query
      if (ignored.has(name)) return () => Promise.resolve()
      const member: unknown = Reflect.get(client, name)
      return typeof member === "function" ? (member as Method).bind(client) : member
    }
  })
  return {
    store: "postgresql",
    connection,
    close: (isAbandoned) => {
      isOpen = false
      if (isAbandoned) abandon()
    },
    isConflict
  }
}

/**
 * Returns the client of the pool on which the transaction of `workspace.transaction` runs, for statements of the host. Its type
 * is `pg.PoolClient`. It can be used until the callback ends, and must not be released.
 *
 * Throws `HostTransactionError` with the reason `NoConnection` unless the workspace was opened with `postgres({ pool })`.
 *
 * @example
 * await workspace.transaction({ organizations: [organization] }, async (tx) => {
 *   const client = pgClient<pg.PoolClient>(tx)
 *   await client.query("INSERT INTO tickets (title) VALUES ($1)", ["Write the handbook"])
 * })
 */
export const pgClient = <Client extends object>(tx: {
  readonly connection: HostConnection | undefined
}): Client => {
  if (tx.connection?.store !== "postgresql") {
    throw new HostTransactionError(
      "NoConnection",
      "The workspace does not use a pool of the host. Open it with `postgres({ pool })`."
    )
  }
  return tx.connection.connection as Client
}
