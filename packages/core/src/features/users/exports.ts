/** The public names of users in `@lectern/core`, besides the model. */

export { users } from "../../model/users/User.ts"
export { Users } from "./Users.ts"
