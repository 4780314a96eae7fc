/** The ids of the users, organizations and teams of a scenario. */
export interface Actors {
  /** The ids of the users. */
  readonly users: ReadonlyArray<string>
  /** The ids of the organizations. */
  readonly organizations: ReadonlyArray<string>
  /** The ids of the teams: one of each organization, or none. */
  readonly teams: ReadonlyArray<string>
}
