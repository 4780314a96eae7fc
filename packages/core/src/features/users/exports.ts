export { users } from "@lectern/kernel/tables"
export { Accounts } from "./Accounts.ts"
export { OwnAccount } from "./OwnAccount.ts"
export { Users } from "./Users.ts"
