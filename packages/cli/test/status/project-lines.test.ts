import type { ProjectReport } from '@switchboard/daemon/client'
import { expect, test } from 'vitest'
import { explainProject } from '../../src/status/project-lines.ts'

const PROJECT: ProjectReport = { folder: '/site', id: 'p', windows: 1, servers: [], problems: [], mark: 'm' }
const SERVER = { name: 'a', file: '.mcp.json', state: 'trusted', runsAs: 'a@p', shown: [] } as const

test('a project in which all is well needs no word', () => {
  expect(explainProject({ ...PROJECT, servers: [SERVER] })).toEqual([])
})

test('what waits, what is wrong with the files and what does not run are a line each', () => {
  const servers = [{ ...SERVER, state: 'new' } as const, { ...SERVER, name: 'b', problem: 'unknown key\u001b[2J' }]
  const lines = explainProject({ ...PROJECT, servers, problems: ['.mcp.json: line 3'] })
  expect(lines).toEqual([
    'project /site: 1 server of it waits to be trusted; "switchboard trust" there shows what would run',
    'project /site: .mcp.json: line 3',
    expect.stringContaining('project /site: b does not run: unknown key'),
  ])
  expect(lines.join('')).not.toContain('\u001b')
})
