import { describe, expect, test } from 'vitest'
import { GO_TRAITS } from '../../src/dap/engines/go.ts'
import { ProgramOutput } from '../../src/dap/program-output.ts'

const text = (parts: readonly { text: string }[]) => parts.map((part) => part.text).join('')

describe('program output', () => {
  test('through a terminal loses its carriage returns, also those cut off from their line feed', () => {
    const output = new ProgramOutput({ ...GO_TRAITS, hasTerminalOutput: true })
    const parts = ['one\r', '\ntwo\r\nthr', 'ee\rbar\r\n'].flatMap((piece) => output.take('stdout', piece))
    expect(text(parts)).toBe('one\ntwo\nthree\rbar\n')
  })

  test('leaves out what the debugger says about itself, but remembers it', () => {
    const output = new ProgramOutput(GO_TRAITS)
    expect(output.take('console', "Type 'dlv help' for list of commands.\n")).toEqual([])
    expect(text(output.take('console', 'Detaching\nimportant\n'))).toBe('important\n')
    expect(output.tail).toContain('Detaching')
  })

  test('keeps a short tail of however much', () => {
    const output = new ProgramOutput(GO_TRAITS)
    for (let turn = 0; turn < 100; turn++) output.take('stdout', `${turn}${'x'.repeat(5000)}`)
    expect(output.tail).toHaveLength(4000)
  })
})
