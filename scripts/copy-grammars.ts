/** Copies the grammars of code to the reader, from a package that only this command and its test need. `npm run grammars` */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compressGrammars, grammarsFolder, readPackageGrammars } from "./grammars/copiedGrammars.ts"

const { index, bytes } = compressGrammars(await readPackageGrammars())
mkdirSync(grammarsFolder, { recursive: true })
writeFileSync(join(grammarsFolder, "index.json"), `${JSON.stringify(index)}\n`)
writeFileSync(join(grammarsFolder, "grammars.br"), bytes)
