/** A workspace in memory as hosts embed it, with an organization. */
import { createWorkspace, type WorkspaceOptions } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { onTestFinished } from "vitest"

/** Creates a workspace with an organization and its administrator, and disposes of it after the test. */
export const openWorkspace = async (options: Partial<WorkspaceOptions> = {}) => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer(), ...options })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  return { workspace, user, organization, ada: workspace.as(user) }
}

/** Returns the reason for which a promise rejects; undefined if it resolves. */
export const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )
