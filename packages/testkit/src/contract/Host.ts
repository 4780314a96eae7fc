/** What the contract has to be told of a server: how to reach it, and what its API has no operations for. */

/** A server that runs. */
export interface Host {
  /** Its address, without `/v1`. */
  readonly url: string
  /** A new API token of the user with this e-mail address, who is made where there is none. */
  readonly token: (email: string) => Promise<string>
  /** Makes an organization, administrated by a user whom `token` has been asked for; answers its id. */
  readonly organization: (title: string, admin: string) => Promise<string>
  /** Does the background work that waits, for a server that leaves it to its host. */
  readonly work?: () => Promise<unknown>
  /**
   * The name or address by which the server reaches this machine, whose website it imports: `127.0.0.1` by default. Its
   * fetcher has to be allowed to (`LECTERN_FETCH_ALLOW`).
   */
  readonly reachedAt?: string
  /** Stops it, after the tests. */
  readonly close?: () => Promise<void>
}
