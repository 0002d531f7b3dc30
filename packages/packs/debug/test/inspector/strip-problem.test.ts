import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findStripProblem } from '../../src/inspector/strip-problem.ts'

describe('a TypeScript program that Node runs without its types', () => {
  let folder: TemporaryDirectory
  beforeEach(async () => {
    folder = await createTemporaryDirectory('switchboard-strip-')
  })
  afterEach(() => folder.remove())

  function write(files: Readonly<Record<string, string>>): string {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(folder.file(name)), { recursive: true })
      writeFileSync(folder.file(name), text)
    }
    return folder.file(Object.keys(files)[0] ?? '')
  }

  test('is looked through once, however many imports it has', () => {
    const line = "import {a} from './add.ts'\n"
    const text = line.repeat(Math.floor((256 * 1024) / line.length))
    // To count the lines up to every import takes longer than a test may.
    expect(findStripProblem(write({ 'app.ts': text, 'add.ts': '' }))).toBeUndefined()
    expect(
      findStripProblem(write({ 'late.ts': `${text.slice(100).replace(/^.*\n/, '')}import './gone'`, 'gone.ts': '' })),
    ).toMatchObject({
      what: 'an import of "./gone", which is no file',
    })
  })

  test('may have types, comments and texts about what it may not have', () => {
    const program = write({
      'app.ts': `import type { Kind } from './nowhere'
import { add } from './add.ts'
import { readFile } from 'node:fs/promises'
// enum Wrong { A }
declare enum Told { A }
const text = \`
enum Wrong {}
import x from './nowhere.js'
\`
interface Order { readonly kind: Kind }
class Box { constructor(size: number, other = (1)) {} private readonly x = 1 }
`,
      'add.ts': 'export const add = (a: number, b: number): number => a + b\n',
    })
    expect(findStripProblem(program)).toBeUndefined()
  })

  test.each([
    ['const a = 1\n\nenum Kind { A }\n', 3, 'an enum', true],
    ['export const enum Kind { A }\n', 1, 'an enum', true],
    ['namespace Inner {\n}\n', 1, 'a namespace', true],
    ['class A {\n  constructor(private readonly x: number) {}\n}\n', 2, 'a parameter property', true],
    ["import fs = require('fs')\n", 1, 'import … = require', true],
    ["import { a } from './math'\n", 1, 'an import of "./math", which is no file', false],
    ["\nimport {\n  a,\n} from './math.js'\n", 4, 'an import of "./math.js", which is no file', false],
    ["const { a } = await import('./math.js')\n", 1, 'an import of "./math.js", which is no file', false],
    ["import { a } from '@app/math'\n", 1, 'an import of "@app/math", an alias of tsconfig.json', false],
  ])('is not %j', (text, line, what, isSyntax) => {
    const program = write({ 'app.ts': text, 'math.ts': 'export const a = 1\n' })
    expect(findStripProblem(program, ['@app/'])).toEqual({ path: program, line, what, isSyntax })
  })

  test('is judged with all that it imports, also in a circle', () => {
    const program = write({
      'app.ts': "import './a.ts'\n",
      'a.ts': "import './b.ts'\nimport './app.ts'\n",
      'b.ts': 'export enum Deep { A }\n',
    })
    expect(findStripProblem(program)).toMatchObject({ path: join(folder.path, 'b.ts'), line: 1, what: 'an enum' })
  })

  test('is no module where its package says CommonJS', () => {
    const program = write({ 'app.ts': "\nimport { x } from 'x'\n", 'package.json': '{ "type": "commonjs" }' })
    expect(findStripProblem(program)).toMatchObject({ line: 2, what: 'import or export in a CommonJS package' })
  })
})
