/** The name of a file that was replaced by another one. */

/** Returns the name of a file after it was replaced: with the extension of the new file. */
export const replacedName = (name: string, replacement: string): string => {
  const extensionOf = (text: string) => /\.[^.\s]{1,10}$/.exec(text)?.[0] ?? ""
  const [old, current] = [extensionOf(name), extensionOf(replacement)]
  return old.toLowerCase() === current.toLowerCase() || current === ""
    ? name
    : `${name.slice(0, name.length - old.length)}${current}`
}
