/** A shop whose products have documentation: users, sessions and products are its own, and the documentation is a workspace. */
import { createWorkspace } from "@lectern/core"
import type { Database } from "./database.ts"
import { votesFeature } from "./votes/votesFeature.ts"

/** Opens the shop. */
export const openShop = async (database: Database) => {
  const workspace = createWorkspace({
    storage: database.storage,
    features: [votesFeature],
    authenticate: async ({ header }) => {
      const session = /(?:^|;\s*)session=([\w-]+)/.exec(header("cookie") ?? "")?.[1]
      return session === undefined ? undefined : await findUser(session)
    }
  })

  /** Returns the user of the workspace of a session. */
  const findUser = async (session: string) => {
    const [row] = await database.query(
      "SELECT lectern_user FROM accounts JOIN sessions USING (email) WHERE sessions.id = $1",
      session
    )
    return row === undefined ? undefined : { user: String(row.lectern_user) }
  }

  const findOrganization = async () => {
    const { items } = await workspace.administration.listOrganizations({})
    if (items[0] !== undefined) return items[0].id
    const administrator = await workspace.administration.createUser({ input: { email: "shop@example.com" } })
    return await workspace.administration.createOrganization({ administrator, input: { title: "Shop" } })
  }
  const organization: string = await findOrganization()

  return {
    workspace,
    organization,
    findUser,
    /** Creates an account with its user of the workspace: both, or neither. */
    signUp: (email: string) =>
      workspace.transaction({ organizations: [organization] }, async (tx) => {
        const user = await tx.administration.createUser({ input: { email } })
        await tx.administration.setMember({ organization, user, input: { role: "create" } })
        await database.within(tx)("INSERT INTO accounts (email, lectern_user) VALUES ($1, $2)", email, user)
        return user
      }),
    /** Creates a session of an account. */
    signIn: async (email: string) => {
      const session = crypto.randomUUID()
      await database.query("INSERT INTO sessions (id, email) VALUES ($1, $2)", session, email)
      return session
    },
    /** Creates a product with the space of its documentation: both, or neither. */
    createProduct: (user: string, name: string) =>
      workspace.transaction({ organizations: [organization] }, async (tx) => {
        const { id } = await tx.as(user).spaces.create({ organization, input: { title: name } })
        await database.within(tx)("INSERT INTO products (name, space) VALUES ($1, $2)", name, id)
        return id
      }),
    products: () => database.query("SELECT name, space FROM products ORDER BY name"),
    close: async () => {
      await workspace.dispose()
      await database.close()
    }
  }
}

/** An open shop. */
export type Shop = Awaited<ReturnType<typeof openShop>>
