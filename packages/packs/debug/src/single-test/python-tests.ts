/** Finds tests as pytest does by default: functions `test*`, and methods `test*` of classes `Test*` or of TestCase. */
import type { FoundTest } from './found-test.ts'

interface Block {
  readonly name: string
  readonly indent: number
  readonly line: number
  readonly kind: 'class' | 'function'
  readonly isSuite: boolean
  readonly isParametrised: boolean
}

const CLASS = /^(\s*)class\s+(\w+)\s*(?:\(([^)]*)\))?/
const FUNCTION = /^(\s*)(?:async\s+)?def\s+(\w+)\s*\(/

export function findPythonTests(text: string): FoundTest[] {
  const lines = text.split(/\r?\n/)
  const open: Block[] = []
  const tests: FoundTest[] = []
  let decorators: { line: number; isParametrised: boolean } | undefined
  let quote: string | undefined
  let depth = 0
  let lastLine = 0
  const close = (indent: number): void => {
    while (open.length > 0 && (open.at(-1)?.indent ?? -1) >= indent) {
      const block = open.pop()
      if (block === undefined) return
      const isTest = block.kind === 'function' && /^test/.test(block.name) && open.every(({ isSuite }) => isSuite)
      if (!isTest && !block.isSuite) continue
      tests.push({
        names: [...open.map(({ name }) => name), block.name],
        line: block.line,
        endLine: lastLine,
        isSuite: block.isSuite,
        isParametrised: block.isParametrised,
      })
    }
  }
  for (const [index, line] of lines.entries()) {
    const startsInside = quote !== undefined || depth > 0
    ;({ quote, depth } = scan(line, quote, depth))
    if (startsInside || /^\s*(?:#.*)?$/.test(line)) {
      if (line.trim() !== '') lastLine = index + 1
      continue
    }
    const indent = line.length - line.trimStart().length
    close(indent)
    lastLine = index + 1
    if (/^\s*@/.test(line)) {
      const isParametrised = /parametri[sz]e/.test(line) || decorators?.isParametrised === true
      decorators = { line: decorators?.line ?? index + 1, isParametrised }
      continue
    }
    const type = CLASS.exec(line)
    const method = FUNCTION.exec(line)
    const begun = { indent, line: decorators?.line ?? index + 1, isParametrised: decorators?.isParametrised ?? false }
    if (type !== null) {
      const name = type[2] ?? ''
      const isSuite = /^Test/.test(name) || /TestCase\b/.test(type[3] ?? '')
      open.push({ ...begun, name, kind: 'class', isSuite })
    } else if (method !== null) {
      open.push({ ...begun, name: method[2] ?? '', kind: 'function', isSuite: false })
    }
    decorators = undefined
  }
  close(-1)
  return tests.sort((a, b) => a.line - b.line)
}

/** Follows triple quotes and brackets, so that what lies inside is taken for no definition. */
function scan(line: string, quote: string | undefined, depth: number): { quote: string | undefined; depth: number } {
  let inside = quote
  let level = depth
  for (let at = 0; at < line.length; at++) {
    if (inside !== undefined) {
      if (line.charAt(at) === '\\') at++
      else if (line.startsWith(inside, at)) {
        at += inside.length - 1
        inside = undefined
      }
      continue
    }
    const character = line.charAt(at)
    if (character === '#') break
    if (character === '"' || character === "'") {
      inside = line.startsWith(character.repeat(3), at) ? character.repeat(3) : character
      at += inside.length - 1
    } else if ('([{'.includes(character)) level++
    else if (')]}'.includes(character)) level = Math.max(0, level - 1)
  }
  // A plain string ends with its line.
  return { quote: inside?.length === 3 ? inside : undefined, depth: level }
}
