/** The parts of `lowlight` that PDFs use, in a module of their own: bundlers then omit the 150 languages that they do not use. */
export { common, createLowlight } from "lowlight"
