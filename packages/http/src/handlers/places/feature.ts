import { places } from "./places.ts"

export const placesHandlers = { places }
