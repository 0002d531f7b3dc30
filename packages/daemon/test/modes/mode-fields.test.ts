import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { catchError } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { BASE_DIRECTORY, readText } from '../configuration/read-config.ts'

const HOME = process.platform === 'win32' ? 'C:\\people\\me' : '/people/me'
const ENV = { HOME, USERPROFILE: HOME, MODS: resolve('/mods') }
const WORKSPACE = `\${workspace}`

function readModes(modes: unknown, rest: object = {}) {
  return readText(JSON.stringify({ modes, ...rest }), ENV)
}

function refuse(modes: unknown, rest: object = {}): string {
  return catchError(() => readModes(modes, rest)).message
}

describe('modes', () => {
  it('are none unless configured', () => {
    expect(Object.keys(readText('{}').modes)).toEqual([])
    expect(readText('{}').gateway.modeForHttp).toBeUndefined()
  })

  it('have defaults for everything but the description', () => {
    expect(readModes({ review: { description: 'Reads' } }).modes.review).toEqual({
      description: 'Reads',
      tools: { allow: [], deny: [] },
      writable: undefined,
      instructions: '',
      instructionsFile: undefined,
      approval: 'none',
    })
  })

  it('find their instructions beside the configuration', () => {
    const { modes } = readModes({ m: { description: 'd', instructionsFile: 'modes/m.md' } })
    expect(modes.m?.instructionsFile).toBe(join(BASE_DIRECTORY, 'modes', 'm.md'))
  })

  it('know roots by path, home, variable and workspace, which stays open until a call is made', () => {
    const writable = [WORKSPACE, `${WORKSPACE}/mods`, '~/mods', `\${MODS}/x`, resolve('/a/../b')]
    expect(readModes({ m: { description: 'd', writable } }).modes.m?.writable).toEqual([
      WORKSPACE,
      `${WORKSPACE}/mods`,
      `${HOME}/mods`.replaceAll('/', process.platform === 'win32' ? '\\' : '/'),
      resolve('/mods/x'),
      resolve('/b'),
    ])
  })

  it('expand ~ to the person’s home where the environment names none', () => {
    const { modes } = readText(JSON.stringify({ modes: { m: { description: 'd', writable: ['~'] } } }), {})
    expect(modes.m?.writable).toEqual([homedir()])
  })
})

describe('a wrong mode is refused', () => {
  it.each<[string, unknown, object, string]>([
    ['without a description', { m: {} }, {}, 'the key "description" is missing'],
    ['with an unknown key', { m: { description: 'd', writeable: [] } }, {}, 'Did you mean "writable"?'],
    [
      'with a relative root',
      { m: { description: 'd', writable: ['mods'] } },
      {},
      'Expected an absolute path, or one that begins with',
    ],
    [
      'with the workspace in the middle',
      { m: { description: 'd', writable: [`/x${WORKSPACE}`] } },
      {},
      'Expected an absolute path',
    ],
    [
      'with a folder that only begins like the workspace',
      { m: { description: 'd', writable: [`${WORKSPACE}-2`] } },
      {},
      'Expected an absolute path',
    ],
    [
      'with an unknown variable',
      { m: { description: 'd', writable: [`\${NOPE}/x`] } },
      {},
      'the variable NOPE is not set',
    ],
    [
      'with a pattern of another dialect',
      { m: { description: 'd', tools: { allow: ['{a,b}'] } } },
      {},
      'modes.m.tools.allow[0]',
    ],
    ['with an unknown approval', { m: { description: 'd', approval: 'persn' } }, {}, 'Did you mean "person"?'],
    ['with a name that no file could have', { 'a b': { description: 'd' } }, {}, 'is not a valid name'],
    [
      'with two kinds of instructions',
      { m: { description: 'd', instructions: 'x', instructionsFile: 'y' } },
      {},
      'is there beside "instructions"',
    ],
    [
      'that HTTP callers are bound to and that is not there',
      { review: { description: 'd' } },
      { gateway: { modeForHttp: 'reveiw' } },
      'gateway.modeForHttp: there is no mode "reveiw". Expected one of "modes": review. Did you mean "review"?',
    ],
    ['that HTTP callers are bound to where there are none', {}, { gateway: { modeForHttp: 'x' } }, 'there is none'],
  ])('%s', (_title, modes, rest, message) => {
    expect(refuse(modes, rest)).toContain(message)
  })
})

it('no server may be called like Switchboard itself', () => {
  const text = '{\n  "mcpServers": {\n    "switchboard": { "command": "npx" }\n  }\n}'
  expect(catchError(() => readText(text)).message).toBe(
    "config.json:3:5: mcpServers.switchboard: is the name of Switchboard's own tools. Expected another name; an entry that starts Switchboard itself belongs into no configuration of Switchboard.",
  )
})
