/** An embedded workspace with an administrator, for the tests of all ways of serving it. */
import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { afterAll } from "vitest"

/** A workspace with an organization and its administrator. */
export interface Embedded {
  readonly workspace: EmbeddedWorkspace
  /** The id of the administrator. */
  readonly administrator: string
  readonly organization: string
  /** The `Authorization` header of the administrator. */
  readonly authorization: string
}

/** Creates a workspace in memory, which is disposed after the tests of the file or of the suite. */
export const createEmbedded = async (publicUrl?: string): Promise<Embedded> => {
  const workspace = createWorkspace({
    storage: MemoryStorage.layer(),
    ...(publicUrl === undefined ? {} : { publicUrl })
  })
  afterAll(() => workspace.dispose())
  const administrator = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator,
    input: { title: "Acme" }
  })
  const { secret } = await workspace.tokens.create({ input: { user: administrator, label: "Test" } })
  return { workspace, administrator, organization, authorization: `Bearer ${secret}` }
}
