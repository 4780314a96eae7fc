/**
 * Copies the fonts of PDFs and of images to the packages, from the packages of fonts, which only this command and its test need: they have
 * 32 MB, and Lectern uses 11 files of them. `npm run fonts`
 */
import { copyFileSync } from "node:fs"
import { copiedFonts, pathOf } from "./fonts/copiedFonts.ts"

for (const [source, target] of copiedFonts) copyFileSync(pathOf(source), target)
