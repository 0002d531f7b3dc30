import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { PROGRAM } from '@switchboard/testkit'
import { expect, test } from 'vitest'

/** Of Node, with a bundle that does nothing yet. */
function loadedWith(file: string): readonly string[] {
  const { href } = new URL(`../dist/${file}`, pathToFileURL(PROGRAM))
  const script = `await import(${JSON.stringify(href)}); console.log(JSON.stringify(process.moduleLoadList))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }))
}

test('no command waits for modules of Node that it does not use, as a browser’s fetch and WebSocket', () => {
  const loaded = loadedWith('switchboard.mjs')
  expect(loaded).toContain('NativeModule fs')
  expect(loaded.filter((name) => /undici|NativeModule (?:http|https|tls|zlib|readline)$/.test(name))).toEqual([])
})

test('a window’s front loads no more of Node than it needs', () => {
  const loaded = loadedWith('front.mjs')
  expect(loaded).toContain('NativeModule net')
  expect(loaded.filter((name) => /undici|NativeModule (?:http|https|tls|zlib|child_process)$/.test(name))).toEqual([])
})
