/** Better Auth: its users are provisioned in the workspace when they sign up, and its sessions authenticate them. */
import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { betterAuth } from "better-auth"
import { memoryAdapter } from "better-auth/adapters/memory"

/** Creates the workspace, its handler, and the instance of Better Auth. New users are members of `organization`. */
export const makeApp = async () => {
  const auth = betterAuth({
    baseURL: "http://localhost",
    secret: "a secret of 32 characters or more",
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    user: { additionalFields: { lecternUser: { type: "string", required: false, input: false } } },
    databaseHooks: {
      user: {
        create: { before: async (user) => ({ data: { ...user, lecternUser: await provision(user) } }) }
      }
    }
  })
  const workspace: EmbeddedWorkspace = createWorkspace({
    storage: sqlite(":memory:"),
    authenticate: async ({ header }) => {
      const session = await auth.api.getSession({ headers: new Headers({ cookie: header("cookie") ?? "" }) })
      const user = session?.user.lecternUser
      return user == null ? undefined : { user, session: session!.session.id }
    }
  })
  const { administration } = workspace
  const administrator = await administration.createUser({ input: { email: "admin@acme.example" } })
  const organization = await administration.createOrganization({ administrator, input: { title: "Acme" } })

  const provision = async ({
    email,
    name
  }: {
    readonly email: string
    readonly name: string
  }): Promise<string> => {
    const user = await administration.createUser({ input: { email, displayName: name } })
    await administration.setMember({ organization, user, input: { role: "edit" } })
    return user
  }

  return { auth, workspace, organization, handler: toWebHandler(workspace) }
}
