import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decide, findMissing, systemParts, thisMachine, withoutDeadProxies } from '../run/system-parts.mjs'

interface FakeMachine {
  platform: NodeJS.Platform
  architecture: string
  hasCommand(pattern: RegExp): boolean
  hasFile(path: string): boolean
  hasPythonModule(module: string): boolean
}

function machineWith(commands: string[], { files = [] as string[], modules = [] as string[] } = {}): FakeMachine {
  return {
    platform: 'linux',
    architecture: 'x64',
    hasCommand: (pattern) => commands.some((name) => pattern.test(name)),
    hasFile: (path) => files.includes(path),
    hasPythonModule: (module) => modules.includes(module),
  }
}

const POSTGRES = '/usr/lib/postgresql/15/bin/postgres'
const keyring = ['secret-tool', 'gnome-keyring-daemon', 'dbus-daemon', 'dbus-send']
const tools = ['lldb-dap-19', 'g++', 'rustc', 'go', 'dlv', 'rdbg3.1', 'ctags', 'chromium-headless-shell', 'wine']
const everything = [...tools, ...keyring]
const names = (parts: readonly { name: string }[]) => parts.map((part) => part.name)
const part = (name: string) => systemParts.filter((candidate) => candidate.name === name)

describe('a part of the system', () => {
  test('is there when its program is on the PATH, under any of its names', () => {
    const modules = ['debugpy', 'pytest']
    expect(findMissing(machineWith(everything, { modules, files: [POSTGRES] }))).toEqual([])
    for (const name of ['lldb-dap', 'lldb-dap-18', 'lldb-dap-19']) {
      expect(findMissing(machineWith([name]), part('lldb-dap'))).toEqual([])
    }
    expect(findMissing(machineWith(['rdbg']), part('rdbg'))).toEqual([])
  })

  test('is missing when only a program of a similar name is there', () => {
    // lldb-vscode was the adapter before lldb 18; it cannot do what is needed.
    const machine = machineWith([
      'lldb-19',
      'lldb-vscode-14',
      'gofmt',
      'dlv-helper',
      'x86_64-linux-gnu-g++',
      'rustc-wrapper',
    ])
    expect(names(findMissing(machine))).toEqual(names(systemParts))
  })

  test('is not missing where it would be of no use', () => {
    const elsewhere = [
      { platform: 'darwin' as const, architecture: 'x64' },
      { platform: 'win32' as const, architecture: 'x64' },
      { platform: 'linux' as const, architecture: 'arm64' },
    ]
    for (const place of elsewhere) expect(findMissing({ ...machineWith([]), ...place }, part('wine'))).toEqual([])
    expect(names(findMissing(machineWith([]), part('wine')))).toEqual(['wine'])
  })

  test('of Python is found in the folder of Debian without running any Python', () => {
    const machine = machineWith(everything, {
      files: [POSTGRES, ...['debugpy', 'pytest'].map((name) => `/usr/lib/python3/dist-packages/${name}/__init__.py`)],
    })
    machine.hasPythonModule = () => {
      throw new Error('ran Python')
    }
    expect(findMissing(machine)).toEqual([])
  })
})

describe('what is missing', () => {
  const debian = { platform: 'linux' as const, hasApt: true }

  test('is nothing to speak of when there is none', () => {
    expect(decide([], { ...debian, isRoot: true })).toEqual({ act: 'nothing' })
  })

  test('is installed at once, each package named once, by root on Debian', () => {
    expect(decide([...part('debugpy'), ...part('pytest'), ...part('delve')], { ...debian, isRoot: true })).toEqual({
      act: 'install',
      packages: ['delve', 'python3', 'python3-debugpy', 'python3-pytest'],
    })
  })

  test('is told with one command to copy where we are not root', () => {
    expect(decide([...part('lldb-dap'), ...part('go')], { ...debian, isRoot: false })).toEqual({
      act: 'tell',
      lines: [
        'Missing on this machine, so the tests that need them are skipped: lldb-dap (debugging C, C++ and Rust), go (the Go programs that are debugged).',
        'Install them with: sudo apt-get install --no-install-recommends golang-go lldb-19',
      ],
    })
  })

  test('is told with the way of the system where there is no apt, even to root', () => {
    const decision = decide(part('debugpy'), { platform: 'darwin', hasApt: false, isRoot: true })
    expect(decision).toEqual({
      act: 'tell',
      lines: [
        'Missing on this machine, so the tests that need them are skipped: debugpy (debugging Python).',
        '  debugpy: python3 -m pip install debugpy',
      ],
    })
  })
})

describe('the look at this machine', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'switchboard-parts-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  test('finds programs in every folder of the PATH, and none in folders that do not exist', () => {
    mkdirSync(join(directory, 'bin'))
    writeFileSync(join(directory, 'bin', 'rdbg3.1'), '')
    writeFileSync(join(directory, 'bin', 'dlv.exe'), '')
    const machine = thisMachine({ Path: [join(directory, 'absent'), join(directory, 'bin')].join(delimiter) })
    expect(machine.hasCommand(/^rdbg[\d.]*$/)).toBe(true)
    expect(machine.hasCommand(/^dlv$/)).toBe(true)
    expect(machine.hasCommand(/^go$/)).toBe(false)
  })
})

test('a folder whose rustc does not run is left out of the PATH, and only that one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-rustc-'))
  try {
    writeFileSync(join(folder, process.platform === 'win32' ? 'rustc.exe' : 'rustc'), '')
    const environment = { PATH: [folder, 'other'].join(delimiter) }
    expect(withoutDeadProxies(environment, () => false)).toEqual({ PATH: 'other' })
    expect(withoutDeadProxies(environment, () => true)).toBe(environment)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
