/** What the contract suite requires of a server: its address, and what the API has no operations for. */

/** A running server. */
export interface Host {
  /** Its address, without `/v1`. */
  readonly url: string
  /** Returns a new API token of the user with this e-mail address. Creates the user if there is none. */
  readonly token: (email: string) => Promise<string>
  /** Creates an organization administrated by a user for whom `token` was called. Returns its id. */
  readonly organization: (title: string, admin: string) => Promise<string>
  /** Runs pending background jobs, if the server leaves that to its host. */
  readonly work?: () => Promise<unknown>
  /**
   * The host name or address by which the server reaches this machine, from which it imports a website: `127.0.0.1` by
   * default. The server must be allowed to fetch it (`LECTERN_FETCH_ALLOW`).
   */
  readonly reachedAt?: string
  /** Stops the server after the tests. */
  readonly close?: () => Promise<void>
}
