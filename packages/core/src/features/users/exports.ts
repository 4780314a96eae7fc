/** The public names of users in `@lectern/core`, besides the model. */

export { users } from "../../tables/users/userTable.ts"
export { Users } from "./Users.ts"
