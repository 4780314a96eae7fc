import { presence } from "./presence.ts"

export const presenceHandlers = { presence }
