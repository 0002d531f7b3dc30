import { STRIDE } from './tree.ts'

/** The records of a tree while it is built: they grow as the file needs, and are used again for the next. */
export class Items {
  nodes: Int32Array
  size = 0
  /** The blocks that are open, from the outermost. */
  open: Int32Array

  constructor(bytes: number) {
    this.nodes = new Int32Array((bytes >> 4) * STRIDE + 16 * STRIDE)
    this.open = new Int32Array(64)
  }

  growNodes(): Int32Array {
    const larger = new Int32Array(this.nodes.length * 2)
    larger.set(this.nodes)
    this.nodes = larger
    return larger
  }

  growOpen(): Int32Array {
    const larger = new Int32Array(this.open.length * 2)
    larger.set(this.open)
    this.open = larger
    return larger
  }
}
