import { users } from "./users.ts"

export const usersHandlers = { users }
