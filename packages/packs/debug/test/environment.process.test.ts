/** A program has the environment of the agent's window, whoever started the daemon. */
import { chmod, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from './contract/compile.ts'
import { useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 180_000
const MARK = 'SWITCHBOARD_TEST_MARK'
const GONE = 'SWITCHBOARD_TEST_GONE'

const LANGUAGES = [
  {
    language: 'node',
    files: { 'a.mjs': `console.log('mark', process.env.${MARK}, process.env.${GONE})\n` },
    program: 'a.mjs',
  },
  {
    language: 'python',
    files: { 'a.py': `import os\nprint("mark", os.environ.get("${MARK}"), os.environ.get("${GONE}"))\n` },
    program: 'a.py',
  },
  { language: 'ruby', files: { 'a.rb': `puts "mark #{ENV["${MARK}"]} #{ENV["${GONE}"]}"\n` }, program: 'a.rb' },
  {
    language: 'go',
    files: {
      'go.mod': 'module a\n\ngo 1.19\n',
      'a.go': `package main

import (
	"fmt"
	"os"
)

func main() { fmt.Println("mark", os.Getenv("${MARK}"), os.Getenv("${GONE}")) }
`,
    },
    program: '.',
  },
  {
    language: 'cpp',
    files: {
      'a.cpp': `#include <cstdio>
#include <cstdlib>
int main() {
  const char* gone = getenv("${GONE}");
  printf("mark %s %s\\n", getenv("${MARK}") ? getenv("${MARK}") : "none", gone ? gone : "");
}
`,
    },
    program: 'a',
    build: ['g++', '-g', '-o', 'a', 'a.cpp'],
  },
] as const

test.each(LANGUAGES)(
  'a program in $language runs as the shell of the agent would run it',
  { timeout: LONG },
  async (entry) => {
    const { call, root } = await bench.createWorkspace(entry.files)
    if ('build' in entry) await compile(entry.build[0], entry.build.slice(1), root)
    process.env[GONE] = 'of-the-daemon'
    try {
      const { [GONE]: _, ...own } = process.env
      const env = { ...(own as Record<string, string>), [MARK]: 'of-the-agent' }
      const { program, language } = entry
      const { text } = await call('debug_start', { program, language, timeoutMs: 120_000 }, { env })
      expect(text).toContain('mark of-the-agent')
      expect(text).not.toContain('of-the-daemon')
    } finally {
      delete process.env[GONE]
    }
  },
)

test.skipIf(process.platform === 'win32')(
  'interpreters are looked for where the agent has them',
  { timeout: LONG },
  async () => {
    const { call, root, write } = await bench.createWorkspace({
      'a.mjs': "console.log('by', process.env.OWN_NODE)\n",
      'b.py': 'import sys\nprint("in", sys.prefix)\n',
    })
    await write('bin/node', `#!/bin/sh\nOWN_NODE=ours exec '${process.execPath}' "$@"\n`)
    await chmod(join(root, 'bin/node'), 0o755)
    const env = {
      ...(process.env as Record<string, string>),
      PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}`,
    }
    expect((await call('debug_start', { program: 'a.mjs' }, { env })).text).toContain('by ours')
    await write('own/pyvenv.cfg', 'home = /usr/bin\ninclude-system-site-packages = true\n')
    await write('own/bin/.keep', '')
    await symlink('/usr/bin/python3', join(root, 'own/bin/python'))
    const inVenv = { ...env, VIRTUAL_ENV: join(root, 'own') }
    expect((await call('debug_start', { program: 'b.py' }, { env: inVenv })).text).toMatch(/^out: in .*own$/m)
  },
)
