export { Places } from "./Places.ts"
