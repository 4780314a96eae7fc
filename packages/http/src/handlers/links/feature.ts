import { links } from "./links.ts"

export const linksHandlers = { links }
