/**
 * Writes the icons that the application imports to `packages/studio/src/icons/icons.gen.ts`, from `lucide-react`, which only this
 * command and its test need: the package has 51 MB, and the application fewer than a hundred of its icons. `npm run icons`
 */
import { writeFileSync } from "node:fs"
import { generateIcons, iconsFile } from "./studio/icons.ts"

writeFileSync(iconsFile, generateIcons())
