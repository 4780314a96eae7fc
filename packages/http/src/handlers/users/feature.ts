/** The handlers of the endpoints of accounts. */
import { users } from "./users.ts"

/** The handlers of each group of endpoints of accounts, by the name of the group. */
export const usersHandlers = { users }
