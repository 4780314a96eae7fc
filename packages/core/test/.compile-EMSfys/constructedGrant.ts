import { Grant } from "@lectern/core"
export const grant: unknown = new Grant()
