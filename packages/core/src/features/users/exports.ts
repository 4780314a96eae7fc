export { users } from "../../tables/users/userTable.ts"
export { Accounts } from "./Accounts.ts"
export { OwnAccount } from "./OwnAccount.ts"
export { Users } from "./Users.ts"
