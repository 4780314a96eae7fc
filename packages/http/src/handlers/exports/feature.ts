import { exports } from "./exports.ts"

export const exportsHandlers = { exports }
