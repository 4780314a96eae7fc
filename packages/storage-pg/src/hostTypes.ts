/** The parts of the package `pg` that Lectern uses of a host. */

/** The part of `pg.QueryConfig` that Lectern uses. */
export interface HostQuery {
  /** The SQL statement, with placeholders `$1`, `$2`, ... */
  readonly text: string
  /** The parameters. */
  readonly values: Array<unknown>
  /** Parsers for the text format of column values, by the object identifier of the type. */
  readonly types: { readonly getTypeParser: (oid: number, format?: string) => (value: never) => unknown }
}

/** The part of `pg.QueryResult` that Lectern uses. */
export interface HostResult {
  /** The command tag, such as `SELECT` or `ROLLBACK`. */
  readonly command: string
  /** The rows, as objects with the columns' values. */
  readonly rows: ReadonlyArray<object>
}

/** The part of `pg.PoolClient` that Lectern uses. */
export interface HostPoolClient {
  /** Executes a statement. */
  readonly query: (query: HostQuery) => Promise<HostResult>
  /** Returns the connection to the pool; with `destroy`, closes it. */
  readonly release: (destroy?: boolean) => void
  /** Adds a listener for the loss of the connection. */
  readonly on: (event: "error", listener: (error: Error) => void) => unknown
  /** Removes a listener. */
  readonly removeListener: (event: "error", listener: (error: Error) => void) => unknown
}

/** The part of `pg.Pool` that Lectern uses. A pool of `pg` 8 is assignable to it. */
export interface HostPool {
  /** Waits for a free connection. */
  readonly connect: () => Promise<HostPoolClient>
}
