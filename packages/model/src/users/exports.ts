/** The public names of users in `@lectern/model`. */
export { EraseAccount, OwnData, type OwnEntries } from "./OwnAccount.ts"
export { type Account, CreateUser, Email, UpdateUser, User, UserId } from "./User.ts"
