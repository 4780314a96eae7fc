/** The languages of code that the editor offers; others can be entered in the settings of the block. */
export const languages: ReadonlyArray<string> = [
  "",
  ..."bash c cpp csharp css diff go graphql html http ini java javascript json kotlin less lua makefile markdown mermaid objectivec perl php python r ruby rust scss shell sql swift toml typescript vbnet xml yaml".split(
    " "
  )
]
