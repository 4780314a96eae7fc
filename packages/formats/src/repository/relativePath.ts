/** Writes paths of files relative to other files. */

/** Returns the path of a file relative to the folder of another file. Its characters are not escaped. */
export const relativePathOf = (from: string, to: string): string => {
  const [base, target] = [from.split("/").slice(0, -1), to.split("/")]
  let common = 0
  while (common < base.length && common < target.length - 1 && base[common] === target[common]) common++
  const path = [...base.slice(common).map(() => ".."), ...target.slice(common)].join("/")
  // A colon in the first part would be read as a scheme.
  return /^[^/]*:/.test(path) ? `./${path}` : path
}
