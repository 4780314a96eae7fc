/** The ids of the users, organizations and teams of a scenario. */
export interface Actors {
  readonly users: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<string>
  readonly teams: ReadonlyArray<string>
}
