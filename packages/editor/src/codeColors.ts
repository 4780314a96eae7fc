/** The library that colors code, with its common languages. Loaded with the first code that has a language. */
export { common, createLowlight } from "lowlight"
