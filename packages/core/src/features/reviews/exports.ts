export { Reviews } from "./Reviews.ts"
