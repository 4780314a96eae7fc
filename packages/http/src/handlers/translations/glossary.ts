import { GlossaryApi } from "@lectern/client"
import { Glossary } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const glossary = Effect.map(Glossary, (glossary) =>
  implement(GlossaryApi, {
    listGlossaryEntries: glossary.list,
    updateGlossaryEntries: glossary.update,
    getGlossaryEntry: glossary.get
  })
)
