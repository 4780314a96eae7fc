/** What `@lectern/core/model` exports of users. */
export { type Account, CreateUser, Email, UpdateUser, User, UserId } from "./User.ts"
