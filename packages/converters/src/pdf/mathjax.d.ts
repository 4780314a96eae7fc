/** Types for the parts of MathJax that formulas use. */
declare module "mathjax" {
  /** A node of the output. */
  interface LiteNode {
    readonly kind: string
    readonly value?: string
    readonly attributes?: Readonly<Record<string, unknown>>
    readonly children?: ReadonlyArray<LiteNode>
  }

  interface MathJaxObject {
    tex2svg(formula: string, options: { readonly display: boolean }): LiteNode
    texReset(): void
  }

  const mathJax: { init(options: object): Promise<MathJaxObject> }

  export { type LiteNode, type MathJaxObject }
  export default mathJax
}
