/** Finds cycles of imports between folders. */
import { dirname } from "node:path"

/** The files that compose the files of their folder and of the folders below it: manifests and lists of public names. */
const composingFile = /(^|\/)(feature|exports|index)\.ts$/

/**
 * Returns the node of a file in the graph of imports of a package: its folder. A file that composes a folder, and a file
 * outside of folders, is a node of its own.
 */
export const nodeOf = (source: string): string =>
  composingFile.test(source) || !source.includes("/") ? source : dirname(source)

/** Returns the strongly connected components of a graph with more than one node (Tarjan's algorithm). */
export const cyclesOf = (
  graph: ReadonlyMap<string, ReadonlySet<string>>
): ReadonlyArray<ReadonlyArray<string>> => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: Array<string> = []
  const cycles: Array<ReadonlyArray<string>> = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) {
        visit(next)
        low.set(node, Math.min(low.get(node)!, low.get(next)!))
      } else if (stack.includes(next)) {
        low.set(node, Math.min(low.get(node)!, index.get(next)!))
      }
    }
    if (low.get(node) !== index.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1) cycles.push(component.toSorted())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return cycles
}
