/** The model of integrations. */

/** An integration, with its installations. */
export interface Integration {
  readonly name: string
  readonly organization: string
  version: number
  isPrivate: boolean
  readonly installations: Array<{ readonly id: string; readonly organization: string }>
}
