/** The accounts of the workspace for the users of a host. */
import { type EmbeddedWorkspace, isLecternError } from "@lectern/core"

/** Returns the id of the account with an e-mail address, and creates it if it does not exist. */
export const findOrCreateUser = async (
  { administration }: Pick<EmbeddedWorkspace, "administration">,
  email: string
): Promise<string> => {
  try {
    return await administration.createUser({ input: { email } })
  } catch (error) {
    if (!isLecternError(error) || error._tag !== "Conflict") throw error
    return (await administration.findUser({ email })).id
  }
}
