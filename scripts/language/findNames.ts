/** Finds names of top-level declarations that the rules about names reject. */
import type { Finding } from "./Finding.ts"
import { declaredNames } from "./publicNames.ts"
import { allowedNames, nameRules } from "./rules/names.ts"
import type { ParsedSource } from "./sourcePassages.ts"

const allowed = new Set(allowedNames.map(({ name }) => name))

/** The findings about the names that a file declares. `publicNames` are the names that a package exports. */
export const findNames = (
  { file, program }: ParsedSource,
  publicNames: ReadonlySet<string>,
  lineOf: (offset: number) => number
): ReadonlyArray<Finding> =>
  program.body.flatMap((statement) =>
    declaredNames(statement).flatMap((name) => {
      if (allowed.has(name)) return []
      const rule = nameRules.find(({ pattern }) => pattern.test(name))
      if (rule === undefined) return []
      return [
        {
          file,
          line: lineOf(statement.start),
          rule: rule.id,
          measure: publicNames.has(name) ? ("public" as const) : ("internal" as const),
          found: name,
          instead: rule.instead
        }
      ]
    })
  )

/** The allowed names that no file declares. */
export const unneededNames = (sources: ReadonlyArray<ParsedSource>): ReadonlyArray<string> => {
  const declared = new Set(sources.flatMap(({ program }) => program.body.flatMap(declaredNames)))
  return allowedNames
    .filter(({ name }) => !declared.has(name))
    .map(({ name }) => `rules/names.ts: nothing declares ${name}; remove the entry`)
}
