/** The parameter of the contract suite: the URL of your server, and operations that its API does not have. */

/** A running server, and how to create accounts and organizations on it. */
export interface Host {
  /** The base URL of the API, without `/v1` and without a trailing slash. */
  readonly url: string
  /** Returns a new API token of the user with this e-mail address. Creates the user if it does not exist. */
  readonly createToken: (email: string) => Promise<string>
  /** Creates an organization. `admin` is the e-mail address of its administrator, who has a token. Returns its id. */
  readonly createOrganization: (title: string, admin: string) => Promise<string>
  /** Runs pending background jobs. Omit it if the server runs them itself. */
  readonly runJobs?: () => Promise<unknown>
  /**
   * The host name or IP address at which the server reaches the machine of the tests, to import a website from it.
   * `127.0.0.1` by default. The server must be allowed to fetch from it (`LECTERN_FETCH_ALLOW`).
   */
  readonly websiteHost?: string
  /** Stops the server after the tests. */
  readonly close?: () => Promise<void>
}
