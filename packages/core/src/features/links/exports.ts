export { Links } from "./Links.ts"
