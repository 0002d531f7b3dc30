import { join, parse, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chooseWorkspace } from '../../src/context/workspace.ts'

const home = resolve('/people/ada')
const project = join(home, 'project')

describe('the workspace of a front', () => {
  test('is the folder that was named, relative to where it was started', () => {
    expect(chooseWorkspace('lib', project, home)).toBe(join(project, 'lib'))
    expect(chooseWorkspace(home, project, home)).toBe(home)
  })

  test('is where it was started when none was named', () => {
    expect(chooseWorkspace(undefined, project, home)).toBe(project)
  })

  test.each([home, parse(home).root])('is none in %s, where nobody has a project', (cwd) => {
    expect(chooseWorkspace(undefined, cwd, home)).toBeUndefined()
  })
})
