/** What `@lectern/core` exports of users, beside its model. */

export { users } from "../../model/users/User.ts"
export { Users } from "./Users.ts"
