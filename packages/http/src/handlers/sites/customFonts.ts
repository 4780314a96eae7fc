import { CustomFontsApi } from "@lectern/client"
import { CustomFonts } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const customFonts = Effect.map(CustomFonts, (fonts) =>
  implement(CustomFontsApi, {
    listCustomFonts: fonts.list,
    createCustomFont: fonts.create,
    getCustomFont: fonts.get,
    updateCustomFont: fonts.update,
    deleteCustomFont: fonts.remove
  })
)
