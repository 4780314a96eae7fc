import { git } from "./git.ts"

export const gitHandlers = { git }
