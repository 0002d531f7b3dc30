/** The names that a pattern of variables makes: `{ a, b: [c] }`. */
import type { Node } from 'web-tree-sitter'

export interface PatternShape {
  readonly names: readonly string[]
  readonly through: readonly string[]
  /** Fields of those that hold no names. */
  readonly without?: readonly string[]
}

const MAX_DEPTH = 8

export function namesInPattern(node: Node, shape: PatternShape, depth = 0): Node[] {
  if (shape.names.includes(node.type)) return [node]
  if (depth > MAX_DEPTH || !shape.through.includes(node.type)) return []
  return node.namedChildren.flatMap((child, index) => {
    const field = shape.without === undefined ? null : node.fieldNameForNamedChild(index)
    return field !== null && shape.without?.includes(field) === true ? [] : namesInPattern(child, shape, depth + 1)
  })
}
