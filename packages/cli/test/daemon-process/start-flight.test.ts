import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readStart, takeStartFlight } from '../../src/daemon-process/start-flight.ts'

/** Above every pid that a system gives out. */
const DEAD_PID = 2 ** 30

let folder: TemporaryDirectory
let file: string
beforeEach(async () => {
  folder = await createTemporaryDirectory()
  file = folder.file('run', 'starting')
})
afterEach(() => folder.remove())

test('one of two gets it, and the other after it was given back', () => {
  const flight = takeStartFlight(file)
  expect(flight).toBeDefined()
  expect(readStart(file)).toBe('under_way')
  expect(takeStartFlight(file)).toBeUndefined()
  flight?.release()
  expect(readStart(file)).toBe('none')
  expect(takeStartFlight(file)).toBeDefined()
})

test('one whose process is dead is abandoned, and taken over', () => {
  takeStartFlight(file)?.release()
  writeFileSync(file, `${DEAD_PID} 1 1\n`)
  expect(readStart(file)).toBe('abandoned')
  expect(takeStartFlight(file)).toBeDefined()
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
})

test('one that takes too long is abandoned though its process lives', () => {
  takeStartFlight(file)
  const past = new Date(Date.now() - 16_000)
  utimesSync(file, past, past)
  expect(readStart(file)).toBe('abandoned')
})

test('one that was made this very moment, and is still empty, is under way', () => {
  takeStartFlight(file)?.release()
  writeFileSync(file, '')
  expect(readStart(file)).toBe('under_way')
  expect(takeStartFlight(file)).toBeUndefined()
})

test('who was thought dead does not take away what belongs to another now', () => {
  const slow = takeStartFlight(file)
  writeFileSync(file, '1 2 3\n')
  slow?.release()
  expect(existsSync(file)).toBe(true)
})
