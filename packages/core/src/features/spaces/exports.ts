export { spaces } from "../../tables/spaces/spaceTable.ts"
export { Spaces } from "./Spaces.ts"
