import { describe, expect, it } from 'vitest'
import { findFunction, listFunctions } from '../../src/trace/find-function.ts'

const PYTHON = `import x

def plain(a):
    return a

class Cart:
    def total(
        self,
        rate: float = 0.1,
    ) -> float:
        """What it costs.

        In full.
        """
        # The sum first.
        base = 1
        return base

async def total(): return 3
`

const SCRIPT = `import x from 'x'
export async function load<T>(path: string, { deep = true } = {}): Promise<T> {
  return path
}
const add = (a, b) => a + b
export const scale = async (
  a,
) => {
  // why
  return a
}
class Cart {
  static async total(rate) {
    return rate
  }
  #secret() { return 1 }
}
load('total(x)')
`

describe('findFunction', () => {
  it.each([
    ['app.py', PYTHON, 'plain', 3, 4],
    ['app.py', PYTHON, 'total', 7, 16],
    ['app.py', PYTHON, 'Cart.total', 7, 16],
    ['app.ts', SCRIPT, 'load', 2, 3],
    ['app.ts', SCRIPT, 'add', 5, 5],
    ['app.ts', SCRIPT, 'scale', 6, 10],
    ['app.ts', SCRIPT, 'Cart.total', 13, 14],
    ['app.ts', SCRIPT, 'secret', 16, 16],
    [
      'app.go',
      'package a\n\nfunc (c *Cart) Total(\n\trate int,\n) int {\n\tx := 1\n\treturn x\n}\n',
      'Cart.Total',
      3,
      6,
    ],
    ['app.rs', 'pub fn total(rate: i32) -> i32 {\n    rate\n}\n', 'total', 1, 2],
    ['app.cpp', 'int total(int);\nint Cart::total(int rate)\n{\n  return rate;\n}\n', 'Cart::total', 2, 4],
    [
      'app.rb',
      'class Cart\n  def total?(rate)\n\n    rate\n  end\n  def total(rate)\n    rate\n  end\nend\n',
      'Cart#total',
      6,
      7,
    ],
  ])('finds in %s the first line to stop at', (path, text, name, definition, body) => {
    expect(findFunction(path, text, name)).toEqual({ definition, body })
  })

  it('does not take a call for a definition', () => {
    expect(findFunction('app.cpp', 'int main() {\n  return total(3);\n}\n', 'total')).toBeUndefined()
    expect(findFunction('app.js', 'total(3)\nif (total(3)) {}\n', 'totals')).toBeUndefined()
    expect(findFunction('notes.txt', 'def total():', 'total')).toBeUndefined()
  })

  it('lists what there is, for a message', () => {
    expect(listFunctions('app.py', PYTHON)).toEqual(['plain', 'total', 'total'])
  })

  it('takes the definition with the body, not the overloads before it or what an interface asks for', () => {
    const text = [
      'interface Shop { price(item: string): number; }',
      'interface Till {',
      '  price(item: string): number;',
      '}',
      'export function price<T, R>(one: (value: T) => R): R;',
      '/** @deprecated {@link other} */',
      'export function price<T, R>(',
      '  one: (value: T) => R,',
      '  other: R',
      '): R;',
      'export function price<T, R>(one: (value: T) => R, other?: R): R {',
      '  return other ?? one(undefined as T)',
      '}',
    ].join('\n')
    expect(findFunction('shop.ts', text, 'price')).toEqual({ definition: 11, body: 12 })
    expect(findFunction('shop.ts', 'const add = (a: number) => a + 1;', 'add')).toEqual({ definition: 1, body: 1 })
  })
})
