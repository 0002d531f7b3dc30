import { describe, expect, test } from 'vitest'
import { readEnvText } from '../../src/source/env-text.ts'

describe('a file of variables', () => {
  test.each<[what: string, text: string, values: Record<string, string>]>([
    ['names and values', 'A=1\nB = two words \n', { A: '1', B: 'two words' }],
    ['comments and empty lines', '# A=1\n\n  # more\nB=2 # the rest\nC=a#b\nD=#\n', { B: '2', C: 'a#b', D: '' }],
    ['an export, a mark at its start and line ends of Windows', '\uFEFFexport A=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['single quotes', String.raw`A='a "b" \n # c' # end`, { A: String.raw`a "b" \n # c` }],
    ['double quotes', String.raw`A="a\nb\t\"c\" \\ \$x"`, { A: 'a\nb\t"c" \\ $x' }],
    ['backticks', 'A=`it\'s "so"`', { A: 'it\'s "so"' }],
    ['values over lines', 'KEY="-----BEGIN\nabc\n-----END"\nB=1', { KEY: '-----BEGIN\nabc\n-----END', B: '1' }],
    ['the last of two', 'A=1\nA=2', { A: '2' }],
    ['no value', 'A=\nB=""', { A: '', B: '' }],
    ['what is another variable elsewhere', `A=$B \${C}`, { A: `$B \${C}` }],
  ])('holds %s', (_what, text, values) => {
    expect(readEnvText(text)).toEqual({ values, wrong: [] })
  })

  test.each<[what: string, text: string, line: number, problem: string]>([
    ['no variable', 'A=1\nnonsense', 2, 'is not NAME=value'],
    ['a name that is none', '1A=2', 1, 'is not NAME=value'],
    ['a quote that is not closed', 'A=1\n\nB="x\nC=2', 3, 'has a quote that is not closed'],
    ['something after its quote', 'A="x" y', 1, 'has something after its closing quote'],
  ])('with %s says in which line, and quotes nothing', (_what, text, line, problem) => {
    expect(readEnvText(text).wrong).toEqual([{ line, problem }])
  })

  test('finds nothing under the names that every object has', () => {
    const { values } = readEnvText('__proto__=x\nA=1')
    expect(values.constructor).toBeUndefined()
    expect(Object.keys(values)).toEqual(['__proto__', 'A'])
  })

  test('is read in a moment, whatever quotes it leaves open', () => {
    const begun = performance.now()
    readEnvText('A="x\n'.repeat(100_000))
    readEnvText(`A='${'\\'.repeat(500_000)}`)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
