export { Collections } from "./Collections.ts"
