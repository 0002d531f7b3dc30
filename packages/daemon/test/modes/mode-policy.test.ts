import type { Disposable } from '@switchboard/base'
import { type Identity, View } from '@switchboard/gateway'
import { EMPTY_CATALOG, type Provider } from '@switchboard/protocol'
import { formatFailure, SwitchboardError } from '@switchboard/protocol/errors'
import type { ToolAnnotations } from '@switchboard/protocol/mcp'
import { describe, expect, it } from 'vitest'
import { type SwitchboardInput, switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { ModePolicy } from '../../src/modes/mode-policy.ts'
import { WritableRoots } from '../../src/modes/writable-roots.ts'

const ME = 'aaaa-000001'
const WORKSPACE = '/project'
const FRONT: Identity = { instance: ME, workspace: WORKSPACE, profile: 'default', transport: 'front' }
const HTTP: Identity = { profile: 'default', transport: 'http' }

const MODES: SwitchboardInput['modes'] = {
  review: { description: 'Reads', tools: { allow: ['files_read*'] } },
  work: { description: 'Writes', tools: { deny: ['*_delete'] }, writable: [`\${workspace}`] },
  admin: { description: 'Everything', writable: [] },
}

function provider(name: string, tools: readonly string[], annotations: Record<string, ToolAnnotations> = {}): Provider {
  const nothing: Disposable = { dispose: () => {} }
  const list = tools.map((tool) => ({ name: tool, inputSchema: {}, annotations: annotations[tool] ?? {} }))
  return {
    name,
    naming: name === 'switchboard' ? { prefix: false } : {},
    catalog: () => ({ ...EMPTY_CATALOG, tools: list }),
    onCatalogChange: () => nothing,
    onResourceUpdated: () => nothing,
    request: () => Promise.reject(new Error('nothing is called here')),
    status: () => ({ name, state: 'ready', stale: false }),
  }
}

const PROVIDERS = [
  provider('files', ['read', 'read_all', 'write', 'delete', 'look'], { look: { readOnlyHint: true } }),
  provider('switchboard', ['mode_get_instructions', 'mode_status']),
]

interface Attempt {
  readonly mode?: string | null
  readonly identity?: Identity
  readonly args?: unknown
  readonly modeForHttp?: string
  readonly profile?: View['profile']
}

/** The error an agent would get; undefined: the call goes on. */
function attempt(name: string, options: Attempt = {}): SwitchboardError | undefined {
  const { mode = null, identity = FRONT, args, modeForHttp, profile = { name: 'default' } } = options
  const policy = new ModePolicy({
    modes: switchboardFile.check({ modes: MODES }).modes,
    modeForHttp,
    roots: new WritableRoots({ platform: 'linux', userHome: '/people/me' }),
    readMode: (instance) => ({ mode, instance, at: '2026-01-01T00:00:00.000Z', setBy: 'agent' }),
  })
  const view = new View(profile, PROVIDERS)
  const [tool, target] = [view.tool(name), view.findTool(name)]
  if (tool === undefined || typeof target === 'string') throw new Error(`${name} is not listed`)
  try {
    policy.authorize({ tool, target, view, args, identity })
    return undefined
  } catch (error) {
    if (error instanceof SwitchboardError) return error
    throw error
  }
}

const textOf = (error: SwitchboardError | undefined): string | undefined => error && formatFailure(error)

describe('paths that would take long to check', () => {
  it('are refused, and it is said what to do', () => {
    const paths = Array.from({ length: 900 }, (_, index) => `/project/${`x${index}/`.repeat(500)}../y`)
    expect(textOf(attempt('files_write', { mode: 'work', args: { paths } }))).toBe(
      '[mode_denied] The paths of files_write are too many and too deep to be checked. Make several calls with fewer paths each, without `..` in them.',
    )
  })

  it('are judged as ever when there are a thousand of the usual kind', () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => `/project/src/file${index}.ts`)
    expect(attempt('files_write', { mode: 'work', args: { paths } })).toBeUndefined()
  })
})

describe('without a mode', () => {
  it('a call of a server is refused, with the modes and how to declare one', () => {
    const error = attempt('files_read')
    expect(textOf(error)).toBe(
      '[mode_required] files_read needs a mode, and this instance has declared no mode yet. Modes: review, work, admin. Call mode_get_instructions with the mode that fits your task, follow its instructions, then repeat the call.',
    )
    expect(error).toMatchObject({ executed: false, details: { instance: ME, modes: ['review', 'work', 'admin'] } })
  })

  it('and without the tool to declare one, a person is the way', () => {
    const profile = { name: 'strict', tools: { allow: ['files_*'] } }
    expect(textOf(attempt('files_read', { profile }))).toContain(
      'This profile does not list mode_get_instructions; ask the person to run `switchboard mode set aaaa-000001 <mode>`.',
    )
  })

  it('one that is not configured any more counts as none, and is named', () => {
    expect(textOf(attempt('files_read', { mode: 'gone' }))).toContain(
      'this instance has the mode "gone", which is not configured. Modes: review, work, admin.',
    )
  })

  it("Switchboard's own tools may be called, and everything by a person's command", () => {
    expect(attempt('mode_get_instructions')).toBeUndefined()
    expect(attempt('mode_status', { identity: HTTP })).toBeUndefined()
    expect(attempt('files_delete', { identity: { ...FRONT, transport: 'command' } })).toBeUndefined()
  })
})

describe('in a mode', () => {
  it('what it allows may be called', () => {
    expect(attempt('files_read', { mode: 'review' })).toBeUndefined()
    expect(attempt('files_write', { mode: 'work' })).toBeUndefined()
  })

  it('what it does not allow is refused, with the modes that do', () => {
    const error = attempt('files_write', { mode: 'review' })
    expect(textOf(error)).toBe(
      '[mode_denied] The mode "review" does not allow files_write. Modes that allow it: work, admin. Change with mode_get_instructions if the task is another one now; else use a tool that "review" allows.',
    )
    expect(error).toMatchObject({ executed: false, details: { allowedBy: ['work', 'admin'], tool: 'files_write' } })
  })

  it('a path outside of its folders is refused, with the path and the folders', () => {
    const error = attempt('files_write', { mode: 'work', args: { path: '/etc/passwd' } })
    expect(textOf(error)).toBe(
      '[mode_denied] The mode "work" does not let files_write use "/etc/passwd": it may write in /project. Use a path there, or another mode.',
    )
    expect(error?.details).toEqual({ mode: 'work', tool: 'files_write', writable: ['/project'], path: '/etc/passwd' })
    expect(attempt('files_write', { mode: 'work', args: { path: 'a/b', content: '/etc' } })).toBeUndefined()
    expect(attempt('files_write', { mode: 'work', args: { path: '../x' } })?.code).toBe('mode_denied')
  })

  it('with no folders nothing can be written, and without the key nothing is looked at', () => {
    expect(textOf(attempt('files_write', { mode: 'admin', args: { path: 'x' } }))).toContain('it may write nowhere')
    expect(attempt('files_read', { mode: 'review', args: { path: '/etc/x' } })).toBeUndefined()
  })

  it('a tool that its server marks read-only may be pointed anywhere', () => {
    expect(attempt('files_look', { mode: 'work', args: { path: '/etc/x' } })).toBeUndefined()
  })

  it('without a workspace a relative path leads nowhere, and that is said', () => {
    const { workspace: _unknown, ...identity } = FRONT
    const error = attempt('files_write', { mode: 'work', args: { path: 'x' }, identity })
    expect(textOf(error)).toContain('Nobody told which workspace this caller is about')
  })

  it('more paths than can be looked at are refused at once', () => {
    const paths = Array.from({ length: 100_000 }, (_, index) => `x${index}`)
    expect(textOf(attempt('files_write', { mode: 'work', args: { paths } }))).toContain('more than 1000 paths at once')
  })
})

describe('a caller over HTTP', () => {
  it('may call no server unless the configuration names its mode', () => {
    expect(textOf(attempt('files_read', { identity: HTTP }))).toBe(
      '[mode_required] files_read needs a mode, and a caller over HTTP has no instance that could declare one. Connect through `switchboard mcp` (stdio), or let the person name a mode for HTTP callers with `gateway.modeForHttp`.',
    )
  })

  it('is bound to the mode that the configuration names', () => {
    const bound = { identity: HTTP, modeForHttp: 'review' }
    expect(attempt('files_read', bound)).toBeUndefined()
    expect(textOf(attempt('files_write', bound))).toContain(
      'Callers over HTTP cannot change theirs: it is `gateway.modeForHttp` of the configuration.',
    )
  })
})
