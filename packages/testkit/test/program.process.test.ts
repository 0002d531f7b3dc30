import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { readObjectWith, watchProgram } from '../src/program.ts'

function start(code: string) {
  const child = spawn(process.execPath, ['-e', code])
  onTestFinished(() => void child.kill('SIGKILL'))
  return watchProgram(child)
}

const STAY = 'setInterval(() => {}, 1000)'

test('a line is awaited by what it says: a failure before it, other words and other objects are passed over', async () => {
  const program = start(`
    console.log(JSON.stringify({ ok: false, error: { code: 'lock_held', pid: 1 } }))
    console.log('{ not JSON }')
    console.log(JSON.stringify({ pid: 2 }))
    process.stdout.write('{"pid":3,')
    setTimeout(() => console.log('"epoch":4}'), 50)
    ${STAY}`)
  expect(await program.waitForLine(readObjectWith('pid', 'epoch'))).toEqual({ pid: 3, epoch: 4 })
})

test('whoever ends without the line is told of with what it said, and no start is made up', async () => {
  const program = start(`console.log('{"ok":false}'); console.error('held'); process.exitCode = 78`)
  await expect(program.waitForLine(readObjectWith('pid'), { what: 'it ran' })).rejects.toThrow(
    'The program ended with 78 before it ran: {"ok":false}\nheld',
  )
  expect(await program.ended).toBe(78)
})

test('the last words of a program that has ended count', async () => {
  const program = start(`console.log('{"pid":1}')`)
  expect(await program.ended).toBe(0)
  expect(await program.waitForLine(readObjectWith('pid'))).toEqual({ pid: 1 })
  await program.waitForText('"pid"')
  await expect(program.waitForText('epoch')).rejects.toThrow('ended with 0 before "epoch"')
})

test('a signal is how it ended', async () => {
  const program = start(`console.log('up'); ${STAY}`)
  await program.waitForText('up')
  program.child.kill('SIGKILL')
  expect(await program.ended).toBe('SIGKILL')
})
