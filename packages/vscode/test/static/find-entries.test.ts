import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { findEntries } from '../../src/static/find-entries.ts'

const OURS = { command: 'npx', args: ['switchboard', 'mcp'] }
const OTHER = { command: 'npx', args: ['another-server'] }

async function makePlace() {
  const directory = await createTemporaryDirectory('switchboard-static-')
  onTestFinished(() => directory.remove())
  const put = (name: string, value: unknown): string => {
    const file = directory.file(name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
    return file
  }
  const find = (folders: readonly string[]) =>
    findEntries({
      env: {},
      userHome: directory.file('home'),
      userFolder: directory.file('data/User'),
      editorName: 'VS Code',
      folders,
      port: 19_877,
    })
  return { directory, put, find }
}

test('entries that lead to Switchboard are found in every place of this editor, and no others', async () => {
  const { directory, put, find } = await makePlace()
  const user = put('data/User/mcp.json', { servers: { a: OURS, other: OTHER } })
  const settings = put('data/User/settings.json', { 'mcp.servers': { b: { url: 'http://127.0.0.1:19877/mcp' } } })
  const project = put('one/.vscode/mcp.json', { servers: { c: { command: '/usr/bin/switchboard', args: ['mcp'] } } })
  put('two/.vscode/mcp.json', { servers: { other: OTHER } })
  const entries = await find([directory.file('one'), directory.file('two')])
  expect(entries.map(({ name, file }) => [name, file])).toEqual([
    ['a', user],
    ['b', settings],
    ['c', project],
  ])
})

test('a window without a folder looks at what is of the user, and garbage is left alone', async () => {
  const { put, find } = await makePlace()
  put('data/User/mcp.json', '{ "servers": { "a": ')
  expect(await find([])).toEqual([])
})
