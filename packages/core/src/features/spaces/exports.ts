export { spaces } from "@lectern/kernel/tables"
export { Spaces } from "./Spaces.ts"
