/** The public names of users in `@lectern/model`. */
export { type Account, CreateUser, Email, UpdateUser, User, UserId } from "./User.ts"
