import { collections } from "./collections.ts"

export const collectionsHandlers = { collections }
